package io.flinkgpu.source;

import org.apache.flink.connector.file.src.compression.StandardDeCompressors;
import org.apache.flink.core.fs.Path;

/** Which files are compressed, by what their names end with. */
final class Compressions {

    private Compressions() {}

    static boolean isCompressed(Path file) {
        return StandardDeCompressors.getDecompressorForFileName(file.getName()) != null;
    }
}
