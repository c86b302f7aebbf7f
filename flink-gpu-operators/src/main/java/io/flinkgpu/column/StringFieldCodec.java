package io.flinkgpu.column;

import io.flinkgpu.api.ErrorValues;
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
    private final ErrorValues errors;

    /** The only field of a record, with nothing of it in errors. */
    public StringFieldCodec(TextGetter<T> getter, TextSetter<T> setter) {
        this(null, getter, setter, ErrorValues.HIDDEN);
    }

    /**
     * @param name null if it is the record's only one
     * @param errors writes values into messages
     */
    public StringFieldCodec(
            String name, TextGetter<T> getter, TextSetter<T> setter, ErrorValues errors) {
        this.name = name;
        this.errors = errors;
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
        try {
            return getter.get(record);
        } catch (RuntimeException e) {
            throw thrown("a getter", getter, e);
        }
    }

    /** The record with another text, which is not yet checked to be there. */
    T set(T record, String text) {
        T changed;
        try {
            changed = setter.with(record, text);
        } catch (RuntimeException e) {
            throw thrown("a setter", setter, e);
        }
        if (changed == null) {
            throw Errors.state(
                    "a setter must give a record, and gave null: %ssetter=%s; %s",
                    field(), setter.getClass().getName(), REMEDY);
        }
        return changed;
    }

    /** Checks that a record has this text, or none: what was not set would leave as it came. */
    void requireText(T record, String text) {
        if (!Objects.equals(text, text(record))) {
            throw Errors.state(
                    "the getter must read the text that the setter was given, and reads another:"
                            + " %ssetter=%s, getter=%s; %s",
                    field(), setter.getClass().getName(), getter.getClass().getName(), REMEDY);
        }
    }

    private IllegalStateException thrown(String what, Object function, RuntimeException thrown) {
        return new IllegalStateException(
                ("%s must not throw: %sclass=%s, exception=%s; the record is not emitted: make it"
                                + " take every record, or filter before%s")
                        .formatted(
                                what,
                                field(),
                                function.getClass().getName(),
                                errors.thrown(thrown),
                                errors.remedy()),
                errors.cause(thrown));
    }

    private String field() {
        return name == null ? "" : "field='" + name + "', ";
    }
}
