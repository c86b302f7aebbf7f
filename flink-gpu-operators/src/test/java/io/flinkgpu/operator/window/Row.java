package io.flinkgpu.operator.window;

import io.flinkgpu.api.Aggregates;
import io.flinkgpu.api.ColumnType;

/** A record of the window tests. */
public record Row(String key, long number, Double real) {

    public static final Aggregates<Row> AGGREGATES =
            Aggregates.of(Row::number)
                    .named("number")
                    .min()
                    .max()
                    .sum()
                    .count()
                    .and(Row::real, ColumnType.DOUBLE)
                    .named("real")
                    .mean()
                    .sum()
                    .min()
                    .count()
                    .argMax("numberOfMost", Row::number, ColumnType.LONG)
                    .top(2, "keysOfMost", Row::key, ColumnType.TEXT);
}
