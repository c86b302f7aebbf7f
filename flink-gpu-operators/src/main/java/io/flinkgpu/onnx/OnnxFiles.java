package io.flinkgpu.onnx;

import io.flinkgpu.api.dense.DensePlan;

import org.apache.flink.annotation.PublicEvolving;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Objects;

/**
 * Reads a {@link DensePlan} from an ONNX file, such as the export of a deep &amp; cross network or an MLP.
 *
 * <p>Operators: MatMul and Gemm with constant weights, Add, Mul, Relu, Sigmoid, Concat, Reshape that leaves each
 * row its numbers, Cast to float, Identity and Constant, from opset 7 on. Inputs are floats of fixed shapes but
 * for the first dimension, which is the batch; a row of the plan has the numbers of all inputs one after the
 * other, in the order of the file. Outputs are joined the same way.
 */
@PublicEvolving
public final class OnnxFiles {

    private OnnxFiles() {}

    /**
     * Reads a file.
     *
     * @throws OnnxException if it cannot be read, or holds anything else than that
     */
    public static DensePlan read(Path file) {
        Objects.requireNonNull(file, "file");
        try {
            return parse(file.toString(), Files.readAllBytes(file));
        } catch (NoSuchFileException e) {
            throw new OnnxException(file + ": no such file; check the path", e);
        } catch (IOException e) {
            throw new OnnxException(
                    file
                            + ": cannot be read ("
                            + e.getClass().getSimpleName()
                            + "); make it readable here",
                    e);
        }
    }

    /**
     * Reads a model that is already in memory.
     *
     * @param fileName stands in errors
     * @throws OnnxException as {@link #read}
     */
    public static DensePlan parse(String fileName, byte[] bytes) {
        Objects.requireNonNull(fileName, "fileName");
        Objects.requireNonNull(bytes, "bytes");
        OnnxGraph graph;
        try {
            graph = OnnxParser.parse(bytes);
        } catch (IOException e) {
            throw new OnnxException(
                    fileName
                            + ": is no ONNX model, or is cut off: "
                            + e.getMessage()
                            + "; export it again",
                    e);
        }
        return new OnnxReader(fileName, graph).read();
    }
}
