package io.flinkgpu;

import io.flinkgpu.api.AggregateValues;
import io.flinkgpu.api.WindowResult;

/** Results with all that is in them, as text to compare. */
final class ResultText {

    private ResultText() {}

    /** For example {@code sensor-1 [0, 60000): min=1.5, mean=2.0}. */
    static String of(WindowResult<?> result) {
        AggregateValues values = result.values();
        StringBuilder text =
                new StringBuilder(
                        "%s [%d, %d): "
                                .formatted(result.key(), result.startMillis(), result.endMillis()));
        for (int i = 0; i < values.size(); i++) {
            text.append(i == 0 ? "" : ", ")
                    .append(values.name(i))
                    .append('=')
                    .append(values.get(i));
        }
        return text.toString();
    }
}
