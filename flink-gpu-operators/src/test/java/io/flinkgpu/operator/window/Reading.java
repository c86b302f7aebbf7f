package io.flinkgpu.operator.window;

import io.flinkgpu.api.Aggregates;
import io.flinkgpu.api.ColumnType;

import org.apache.flink.api.common.typeinfo.TypeInformation;

import java.util.Objects;

/** A sensor's reading, as Flink's POJO: it can be changed. */
public class Reading {

    public static final TypeInformation<Reading> TYPE = TypeInformation.of(Reading.class);

    public static final Aggregates<Reading> AGGREGATES =
            Aggregates.of(Reading::number)
                    .named("number")
                    .sum()
                    .count()
                    .and(Reading::value, ColumnType.DOUBLE)
                    .named("value")
                    .min()
                    .max()
                    .mean();

    public String key;
    public long number;

    /** May be null. */
    public Double value;

    public Reading() {}

    public Reading(String key, long number, Double value) {
        this.key = key;
        this.number = number;
        this.value = value;
    }

    public String key() {
        return key;
    }

    public long number() {
        return number;
    }

    public Double value() {
        return value;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Reading that
                && Objects.equals(key, that.key)
                && number == that.number
                && Objects.equals(value, that.value);
    }

    @Override
    public int hashCode() {
        return Objects.hash(key, number, value);
    }

    @Override
    public String toString() {
        return key + ":" + number + ":" + value;
    }
}
