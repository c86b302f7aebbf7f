package io.flinkgpu.column;

import io.flinkgpu.api.TextGetter;
import io.flinkgpu.api.TextSetter;

import org.apache.flink.annotation.Internal;

import java.util.Objects;

/** One row a record: the text of one of its fields. A null text is a null row, which never changes. */
@Internal
public final class StringFieldCodec<T> implements BatchCodec<T> {

    private static final long serialVersionUID = 1L;
    private static final String REMEDY =
            "; the record is not emitted: correct the setter, so that the record has the new text where"
                    + " the getter reads it";

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
        String text = Utf8.decode(rows);
        T changed = setter.with(original, text);
        if (changed == null) {
            throw new IllegalStateException(
                    "a setter must give a record, and gave null: setter="
                            + setter.getClass().getName()
                            + REMEDY);
        }
        // What was not set would leave as it came.
        if (!text.equals(getter.get(changed))) {
            throw new IllegalStateException(
                    "the getter must read the text that the setter was given, and reads another: setter="
                            + setter.getClass().getName()
                            + ", getter="
                            + getter.getClass().getName()
                            + REMEDY);
        }
        return changed;
    }
}
