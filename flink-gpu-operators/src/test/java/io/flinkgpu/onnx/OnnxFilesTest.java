package io.flinkgpu.onnx;

import io.flinkgpu.api.dense.DenseBuilder;
import io.flinkgpu.api.dense.DenseMatrix;
import io.flinkgpu.api.dense.DensePlan;
import io.flinkgpu.api.dense.DenseValue;
import io.flinkgpu.testkit.DenseModel;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Covers: OnnxFiles, OnnxParser, OnnxReader.
 */
class OnnxFilesTest {

    private static final long[] TWO_BY_THREE = {2, 3};
    private static final float[] WEIGHTS = {1, 2, 3, 4, 5, 6};

    private final OnnxWriter writer = new OnnxWriter().input("x", -1, 2);

    @TempDir Path folder;

    @Test
    void readsAFile() throws Exception {
        Path file = folder.resolve("model.onnx");
        writer.floats("w", TWO_BY_THREE, WEIGHTS)
                .node("MatMul", List.of("x", "w"), "y")
                .output("y", -1, 3);
        Files.write(file, writer.toBytes());
        assertThat(OnnxFiles.read(file)).isEqualTo(linear(null));
        assertThatThrownBy(() -> OnnxFiles.read(folder.resolve("none.onnx")))
                .isInstanceOf(OnnxException.class)
                .hasMessageContainingAll("none.onnx", "no such file; check the path");
        assertThatThrownBy(() -> OnnxFiles.read(folder)).hasMessageContaining("cannot be read");
    }

    private static DensePlan linear(float[] bias) {
        DenseBuilder builder = DensePlan.builder(2);
        DenseMatrix weights = DenseMatrix.of(2, 3, WEIGHTS);
        return builder.build(builder.linear(builder.input(), weights, bias));
    }

    @Test
    void weightsMayBeTurnedAndBiasesSpread() {
        writer.floatList("w", new long[] {3, 2}, true, 1, 4, 2, 5, 3, 6)
                .floatList("b", new long[] {1}, false, 9)
                .node(
                        "Gemm",
                        List.of("x", "w", "b"),
                        "y",
                        OnnxWriter.integer("transB", 1),
                        OnnxWriter.number("alpha", 1))
                .output("y", -1, 3);
        assertThat(read()).isEqualTo(linear(new float[] {9, 9, 9}));
    }

    @Test
    void inputsFollowEachOther() {
        OnnxWriter two =
                new OnnxWriter()
                        .input("numbers", -1, 2)
                        .input("vectors", -1, 2, 3)
                        .longs("shape", 0, -1)
                        .node("Reshape", List.of("vectors", "shape"), "flat")
                        .node("Cast", List.of("numbers"), "n", OnnxWriter.integer("to", 1))
                        .node("Identity", List.of("n"), "same")
                        .node(
                                "Concat",
                                List.of("same", "flat"),
                                "all",
                                OnnxWriter.integer("axis", -1))
                        .node("Relu", List.of("all"), "y")
                        .node("Sigmoid", List.of("flat"), "z")
                        .output("y", -1, 8)
                        .output("z", -1, 6);
        DenseBuilder builder = DensePlan.builder(8);
        DenseValue flat = builder.slice(builder.input(), 2, 6);
        DenseValue all = builder.relu(builder.input());
        DensePlan expected = builder.build(builder.concat(all, builder.sigmoid(flat)));
        DensePlan actual = OnnxFiles.parse("two.onnx", two.toBytes());
        assertThat(actual.layers()).hasSameSizeAs(expected.layers());
        assertThat(actual.inputWidth()).isEqualTo(8);
        assertThat(actual.outputWidth()).isEqualTo(14);
    }

    @Test
    void whatIsNotSupportedIsNamed() {
        refused(new OnnxWriter().opset(6), "m.onnx: opset=6 is too old; ");
        refused(new OnnxWriter(), "graph has no inputs; ");
        refused(new OnnxWriter().input("x", 2), "input 'x' has no fixed number of values a row");
        refused(new OnnxWriter().input("x", 2, -1), "shape=[2, -1]; export it with a batch");
        refused(
                new OnnxWriter().inputOfType("x", OnnxTensor.INT64, -1, 3),
                "input 'x' is of type INT64; ");
        refused(of("Softmax", "x"), "node number 0 (Softmax) is of no operator that is supported");
        refused(
                x().node("Relu", "com.microsoft", List.of("x"), "y"),
                "is of domain com.microsoft; ");
        refused(of("MatMul", "x", "w"), "needs a constant: 'w' has no initializer; ");
        refused(of("MatMul", "x"), "has too few inputs; ");
        refused(of("Re\nlu", "x"), "node number 0 (Re?lu) is of no operator that is supported; ");
        refused(x().node("Constant", List.of(), null), "node number 0 (Constant) has no output; ");
        refused(
                new OnnxWriter().input("x", -1, Integer.MAX_VALUE).input("y", -1, 1),
                "graph has inputs of 2147483648 numbers a row; ");
        refused(of("Relu", "q"), "reads 'q', which is not there; ");
        refused(x().external("w", 2, 3).node("MatMul", List.of("x", "w"), "y"), "in another file");
        refused(
                x().longs("w", 2, 3).node("MatMul", List.of("x", "w"), "y"),
                "tensor 'w' is not what its node number 0 (MatMul) needs: type=INT64, dims=[2]; ");
        refused(
                x().floats("w", TWO_BY_THREE, 1, 2).node("MatMul", List.of("x", "w"), "y"),
                "type=FLOAT, dims=[2, 3]; export it with floats, as many as its dimensions say");
        refused(
                x().floats("w", new long[] {2}, 1, 2).node("MatMul", List.of("x", "w"), "y"),
                "'w', which is no matrix: dims=[2]; ");
        refused(
                x().floats("w", new long[] {3, 2}, WEIGHTS).node("MatMul", List.of("x", "w"), "y"),
                "node number 0 (MatMul): sizes of a layer do not match: input=2, rows of weights=3");
        refused(
                x().floats("w", TWO_BY_THREE, WEIGHTS)
                        .node("Gemm", List.of("x", "w"), "y", OnnxWriter.number("alpha", 0.5f)),
                "has alpha, beta or transA; ");
        refused(
                x().floats("c", TWO_BY_THREE, WEIGHTS).node("Add", List.of("x", "c"), "y"),
                "'c', which is not the same for each row: dims=[2, 3]; ");
        refused(
                x().node("Concat", List.of("x", "x"), "y", OnnxWriter.integer("axis", 0)),
                "has axis=0; ");
        refused(
                x().node("Cast", List.of("x"), "y", OnnxWriter.integer("to", 10)),
                "casts to FLOAT16; ");
        refused(
                x().longs("shape", -1, 1).node("Reshape", List.of("x", "shape"), "y"),
                "does not leave each row its 2 numbers: shape=[-1, 1]; reshape to [-1, 2]");
        refused(
                new OnnxWriter().input("x", -1, 2, 2).node("Relu", List.of("x"), "y"),
                "reads 'x', whose rows have several dimensions; reshape it to [-1, 4] before");
        refused(of("Constant"), "has no tensor of values; ");
        refused(x().output("y", -1, 1), "output 'y' is no node's; ");
        refused(x().output("x", -1, 2), "a model that gives back its input");
    }

    private static OnnxWriter x() {
        return new OnnxWriter().input("x", -1, 2);
    }

    private static OnnxWriter of(String operator, String... inputs) {
        return x().node(operator, List.of(inputs), "y");
    }

    private static void refused(OnnxWriter writer, String part) {
        assertThatThrownBy(() -> OnnxFiles.parse("m.onnx", writer.toBytes()))
                .isInstanceOf(OnnxException.class)
                .hasMessageStartingWith("m.onnx: ")
                .hasMessageContaining(part);
    }

    /** A file that ends anywhere, or has a wrong byte, is refused or read: nothing else happens. */
    @Test
    void damagedFilesAreRefused() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        DenseModel model = new DenseModel(5);
        int cross = model.cross(0, 0, DenseModel.some(random, 5), DenseModel.some(random, 5));
        model.linear(cross, 3, DenseModel.some(random, 15), DenseModel.some(random, 3));
        byte[] whole = OnnxWriter.of(model);
        for (int i = 0; i < 500; i++) {
            byte[] bytes =
                    random.nextBoolean()
                            ? Arrays.copyOf(whole, random.nextInt(whole.length))
                            : whole.clone();
            if (bytes.length == whole.length) {
                bytes[random.nextInt(Math.min(bytes.length, 400))] = (byte) random.nextInt();
            }
            try {
                OnnxFiles.parse("damaged.onnx", bytes);
            } catch (OnnxException e) {
                assertThat(e).as("seed=%d", seed).hasMessageStartingWith("damaged.onnx: ");
            }
        }
    }

    private DensePlan read() {
        return OnnxFiles.parse("model.onnx", writer.toBytes());
    }
}
