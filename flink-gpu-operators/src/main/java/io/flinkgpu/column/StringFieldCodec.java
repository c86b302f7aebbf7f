package io.flinkgpu.column;

import io.flinkgpu.api.Errors;
import io.flinkgpu.api.TextGetter;
import io.flinkgpu.api.TextSetter;

import org.apache.flink.annotation.Internal;

import java.util.Objects;

/** One row a record: the text of one of its fields. A null text is a null row, which never changes. */
@Internal
public final class StringFieldCodec<T> implements BatchCodec<T> {

    private static final long serialVersionUID = 1L;
    private static final String REMEDY =
            "the record is not emitted: correct the setter, so that the record has the new text where"
                    + " the getter reads it";

    /** Null if it is the record's only one. */
    private final String name;

    private final TextGetter<T> getter;
    private final TextSetter<T> setter;

    public StringFieldCodec(TextGetter<T> getter, TextSetter<T> setter) {
        this(null, getter, setter);
    }

    /** One of several fields of a record. */
    public StringFieldCodec(String name, TextGetter<T> getter, TextSetter<T> setter) {
        this.name = name;
        this.getter = Objects.requireNonNull(getter, "getter");
        this.setter = Objects.requireNonNull(setter, "setter");
    }

    @Override
    public int separatorBytes() {
        return 0;
    }

    @Override
    public boolean append(T record, BatchBuilder batch) {
        String text = text(record);
        return text == null ? batch.appendNull() : batch.append(text);
    }

    @Override
    public T read(T original, RecordRows rows) {
        String text = rows.text(0);
        T changed = set(original, text);
        requireText(changed, text);
        return changed;
    }

    /** The text of a record, or null. */
    String text(T record) {
        return getter.get(record);
    }

    /** The record with another text, which is not yet checked to be there. */
    T set(T record, String text) {
        T changed = setter.with(record, text);
        if (changed == null) {
            throw Errors.state(
                    "a setter must give a record, and gave null: %ssetter=%s; %s",
                    field(), setter.getClass().getName(), REMEDY);
        }
        return changed;
    }

    /** Checks that a record has this text, or none: what was not set would leave as it came. */
    void requireText(T record, String text) {
        if (!Objects.equals(text, getter.get(record))) {
            throw Errors.state(
                    "the getter must read the text that the setter was given, and reads another:"
                            + " %ssetter=%s, getter=%s; %s",
                    field(), setter.getClass().getName(), getter.getClass().getName(), REMEDY);
        }
    }

    private String field() {
        return name == null ? "" : "field='" + name + "', ";
    }
}
