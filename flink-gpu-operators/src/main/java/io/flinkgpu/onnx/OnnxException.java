package io.flinkgpu.onnx;

import org.apache.flink.annotation.PublicEvolving;

/** A file of which no network can be made: names the file, the node or tensor, and what to do. */
@PublicEvolving
public final class OnnxException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    OnnxException(String message, Throwable cause) {
        // Names in a damaged file may be any bytes.
        super(message.replaceAll("\\p{Cntrl}", "?"), cause);
    }

    static OnnxException of(String file, String where, String what, String remedy) {
        return new OnnxException(file + ": " + where + " " + what + "; " + remedy, null);
    }
}
