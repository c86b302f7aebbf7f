package io.flinkgpu;

import io.flinkgpu.api.AggregateValues;
import io.flinkgpu.api.WindowResult;

import java.util.Arrays;

/** Results with all that is in them, as text to compare. */
public final class ResultText {

    private ResultText() {}

    /** For example {@code sensor-1 [0, 60000): min=1.5, mean=2.0}. */
    public static String of(WindowResult<?> result) {
        AggregateValues values = result.values();
        StringBuilder text =
                new StringBuilder(
                        "%s [%d, %d): "
                                .formatted(result.key(), result.startMillis(), result.endMillis()));
        for (int i = 0; i < values.size(); i++) {
            text.append(i == 0 ? "" : ", ")
                    .append(values.name(i))
                    .append('=')
                    .append(shown(values.get(i)));
        }
        return text.toString();
    }

    private static Object shown(Object value) {
        return value instanceof byte[] bytes ? Arrays.toString(bytes) : value;
    }
}
