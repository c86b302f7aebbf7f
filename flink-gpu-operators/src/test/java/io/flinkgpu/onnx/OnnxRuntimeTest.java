package io.flinkgpu.onnx;

import io.flinkgpu.testkit.DenseModel;
import io.flinkgpu.testkit.DenseModel.Kind;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtSession;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

/**
 * A second opinion: the same file by ONNX Runtime, whose sums have another order. What comes out differs by less
 * than {@link #TOLERANCE} of the size of it, and of what it is a sum of, which is about 1 here.
 *
 * <p>Covers: OnnxTensor.
 */
class OnnxRuntimeTest {

    private static final float TOLERANCE = 1e-4f;

    @Test
    void givesTheSameWithinTolerance() throws Exception {
        long seed = System.nanoTime();
        for (int round = 0; round < 25; round++) {
            Random random = new Random(seed + round);
            DenseModel model = DenseModel.random(random);
            if (model.steps().stream().noneMatch(step -> step.kind() == Kind.SLICE)) {
                check("seed=" + (seed + round), model, model.rows(random, 20, false));
            }
        }
    }

    @Test
    void deepAndCross() throws Exception {
        Random random = new Random(7);
        DenseModel model = new DenseModel(845);
        int cross = 0;
        for (int i = 0; i < 6; i++) {
            float[] weights = DenseModel.some(random, 845);
            cross = model.cross(0, cross, weights, DenseModel.some(random, 845));
        }
        float[] weights = DenseModel.some(random, 845 * 256);
        int deep = model.linear(0, 256, weights, DenseModel.some(random, 256));
        deep = model.add(Kind.RELU, 256, List.of(deep));
        int both = model.add(Kind.CONCAT, 845 + 256, List.of(cross, deep));
        model.linear(both, 1, DenseModel.some(random, 845 + 256), new float[] {0.5f});
        check("deep and cross", model, model.rows(random, 30, false));
    }

    private static void check(String what, DenseModel model, float[][] rows) throws Exception {
        byte[] file = OnnxWriter.of(model);
        assertThat(OnnxFiles.parse("model.onnx", file)).as(what).isEqualTo(model.plan());
        OrtEnvironment environment = OrtEnvironment.getEnvironment();
        try (OrtSession session = environment.createSession(file, new OrtSession.SessionOptions());
                OnnxTensor input = OnnxTensor.createTensor(environment, rows);
                OrtSession.Result result = session.run(Map.of("v0", input))) {
            float[][] actual = (float[][]) result.get(0).getValue();
            for (int row = 0; row < rows.length; row++) {
                float[] expected = model.run(rows[row]);
                for (int i = 0; i < expected.length; i++) {
                    assertThat(actual[row][i])
                            .as("%s, row=%d, i=%d", what, row, i)
                            .isCloseTo(
                                    expected[i],
                                    offset(TOLERANCE * Math.max(1, Math.abs(expected[i]))));
                }
            }
        }
    }
}
