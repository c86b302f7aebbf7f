package io.flinkgpu.bench;

import io.flinkgpu.api.dense.DensePlan;
import io.flinkgpu.backend.cpu.dense.CpuDense;

import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.java.tuple.Tuple2;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What a scoring job is compared with: vectors in maps of the heap, gathered for a sample at a time, and the same model. */
final class MapScores extends RichMapFunction<Tuple2<Long, byte[]>, Tuple2<Long, Float>> {

    private static final long serialVersionUID = 1L;

    private final LookupData data;
    private final SampleRequests samples;
    private final DensePlan model;
    private transient List<Map<Long, float[]>> vectors;
    private transient CpuDense dense;

    MapScores(LookupData data, SampleRequests samples, DensePlan model) {
        this.data = data;
        this.samples = samples;
        this.model = model;
    }

    @Override
    public void open(OpenContext context) {
        vectors = data.tables().stream().<Map<Long, float[]>>map(table -> new HashMap<>()).toList();
        data.forEach((table, id, vector) -> vectors.get(table).put(id, vector));
        dense = new CpuDense(model);
    }

    @Override
    public Tuple2<Long, Float> map(Tuple2<Long, byte[]> sample) {
        byte[] message = sample.f1;
        float[] input = dense.input(0);
        int width = 0;
        for (int table = 0; table < vectors.size(); table++) {
            float[] vector = vectors.get(table).get(SampleRequests.id(message, table));
            System.arraycopy(vector, 0, input, width, vector.length);
            width += vector.length;
        }
        for (int i = 0; i < SampleRequests.NUMBERS; i++) {
            input[width + i] = samples.number(message, i);
        }
        dense.run(1);
        return Tuple2.of(sample.f0, dense.output(0)[0]);
    }
}
