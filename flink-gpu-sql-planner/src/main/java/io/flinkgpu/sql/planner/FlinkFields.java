package io.flinkgpu.sql.planner;

import java.lang.reflect.Field;

/** Fields of Flink's nodes and operators that are not public. */
final class FlinkFields {

    private FlinkFields() {}

    /**
     * Reads a field.
     *
     * @param declaring the class that declares it
     * @throws IllegalStateException if this Flink has other fields
     */
    static <T> T get(Object object, Class<?> declaring, String name, Class<T> type) {
        try {
            Field field = declaring.getDeclaredField(name);
            field.setAccessible(true);
            return type.cast(field.get(object));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(
                    "not the %s of Flink %s: field=%s"
                            .formatted(declaring.getSimpleName(), Compatibility.BUILT_FOR, name),
                    e);
        }
    }
}
