package io.flinkgpu.column;

import io.flinkgpu.api.TextGetter;
import io.flinkgpu.api.TextSetter;

import org.apache.flink.annotation.Internal;

import java.util.Objects;

/** One row a record: the text of one of its fields. A null text is a null row, which never changes. */
@Internal
public final class StringFieldCodec<T> implements BatchCodec<T> {

    private static final long serialVersionUID = 1L;

    private final TextGetter<T> getter;
    private final TextSetter<T> setter;

    public StringFieldCodec(TextGetter<T> getter, TextSetter<T> setter) {
        this.getter = Objects.requireNonNull(getter, "getter");
        this.setter = Objects.requireNonNull(setter, "setter");
    }

    @Override
    public int separatorBytes() {
        return 0;
    }

    @Override
    public boolean append(T record, BatchBuilder batch) {
        String text = getter.get(record);
        return text == null ? batch.appendNull() : batch.append(text);
    }

    @Override
    public T read(T original, byte[] rows) {
        return setter.with(original, Utf8.decode(rows));
    }
}
