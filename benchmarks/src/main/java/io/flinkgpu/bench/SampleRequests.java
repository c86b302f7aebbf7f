package io.flinkgpu.bench;

import io.flinkgpu.api.lookup.LookupRequest;

import org.apache.flink.api.java.tuple.Tuple2;

import java.io.Serializable;
import java.util.List;

/** Requests by their numbers as texts, always the same; made once in a task, so that making them is not measured. */
final class SampleRequests implements Serializable {

    static final int NUMBERS = 13;

    private static final long serialVersionUID = 1L;

    private static final int COUNT = 1 << 14;

    private final LookupData data;
    private transient List<LookupRequest> requests;

    SampleRequests(LookupData data) {
        this.data = data;
    }

    /** The numbers of all. */
    static String[] numbers() {
        String[] numbers = new String[COUNT];
        for (int i = 0; i < COUNT; i++) {
            numbers[i] = Integer.toString(i);
        }
        return numbers;
    }

    LookupRequest get(Tuple2<Long, String> sample) {
        if (requests == null) {
            SplitMix random = new SplitMix(1);
            requests =
                    data.requests(COUNT, LookupData.USUAL_SKEW, 1).stream()
                            .map(request -> request.withDense(numbers(random)))
                            .toList();
        }
        return requests.get(Integer.parseInt(sample.f1));
    }

    private static float[] numbers(SplitMix random) {
        float[] numbers = new float[NUMBERS];
        for (int i = 0; i < NUMBERS; i++) {
            numbers[i] = random.below(1 << 10) * 0x1p-10f;
        }
        return numbers;
    }
}
