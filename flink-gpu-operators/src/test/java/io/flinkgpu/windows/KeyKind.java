package io.flinkgpu.windows;

import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.api.java.tuple.Tuple2;

import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/**
 * A type of key.
 *
 * @param forFlink whether Flink's own keyBy takes it
 * @param sensor gives back the sensor that a key was made of
 */
record KeyKind<K>(
        String name,
        TypeInformation<K> type,
        boolean forFlink,
        KeySelector<Reading, K> selector,
        MapFunction<K, String> sensor)
        implements Serializable {

    private static final long serialVersionUID = 1L;

    /** The sensors that all kinds can tell apart are {@code s0} to {@code s7}. */
    static final int SENSORS = 8;

    static final KeyKind<String> STRING =
            new KeyKind<>("String", Types.STRING, true, reading -> reading.sensor, key -> key);

    static final List<KeyKind<?>> ALL =
            List.of(
                    STRING,
                    new KeyKind<>(
                            "long", Types.LONG, true, ofSensor(KeyKind::number), key -> "s" + key),
                    new KeyKind<>(
                            "int",
                            Types.INT,
                            true,
                            ofSensor(sensor -> (int) number(sensor)),
                            key -> "s" + key),
                    new KeyKind<>(
                            "tuple",
                            Types.TUPLE(Types.STRING, Types.LONG),
                            true,
                            ofSensor(sensor -> Tuple2.of("s", number(sensor))),
                            key -> key.f0 + key.f1),
                    new KeyKind<>(
                            "POJO",
                            Types.POJO(Place.class),
                            true,
                            ofSensor(Place::new),
                            key -> key.sensor),
                    new KeyKind<>(
                            "enum",
                            Types.ENUM(Room.class),
                            false,
                            ofSensor(Room::valueOf),
                            Room::name),
                    new KeyKind<byte[]>(
                            "byte[]",
                            PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO,
                            false,
                            ofSensor(sensor -> sensor.getBytes(StandardCharsets.UTF_8)),
                            key -> new String(key, StandardCharsets.UTF_8)));

    private static long number(String sensor) {
        return Long.parseLong(sensor.substring(1));
    }

    /** Without a sensor there is no key. */
    private static <K> KeySelector<Reading, K> ofSensor(MapFunction<String, K> key) {
        return reading -> reading.sensor == null ? null : key.map(reading.sensor);
    }

    @Override
    public String toString() {
        return name;
    }

    /** A key that is a POJO. */
    public static class Place {

        public String sensor;
        public int floor;

        public Place() {}

        Place(String sensor) {
            this.sensor = sensor;
            this.floor = sensor.length();
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Place that
                    && Objects.equals(sensor, that.sensor)
                    && floor == that.floor;
        }

        @Override
        public int hashCode() {
            return Objects.hash(sensor, floor);
        }
    }

    /** A key that is an enum. */
    public enum Room {
        s0,
        s1,
        s2,
        s3,
        s4,
        s5,
        s6,
        s7
    }
}
