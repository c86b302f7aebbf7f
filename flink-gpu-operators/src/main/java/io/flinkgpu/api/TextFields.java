package io.flinkgpu.api;

import org.apache.flink.annotation.PublicEvolving;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Text fields of a record that are redacted together. Immutable: each method gives a changed copy.
 *
 * <pre>{@code
 * TextFields.<LogRecord>empty()
 *         .text("message", LogRecord::message, LogRecord::withMessage)
 *         .text("exception", LogRecord::exception, LogRecord::withException)
 * }</pre>
 *
 * @param <T> the record
 */
@PublicEvolving
public final class TextFields<T> implements Serializable {

    private static final long serialVersionUID = 1L;

    private final ArrayList<Field<T>> fields;

    private TextFields(List<Field<T>> fields) {
        this.fields = new ArrayList<>(fields);
    }

    /** No fields yet. */
    public static <T> TextFields<T> empty() {
        return new TextFields<>(List.of());
    }

    /**
     * Adds a field.
     *
     * @param name for errors; no other field of these has it
     * @param getter reads the text; null is left alone
     * @param setter makes the record with another text, and with the other fields as they were
     * @throws IllegalArgumentException if the name is blank or another field's
     */
    public TextFields<T> text(String name, TextGetter<T> getter, TextSetter<T> setter) {
        Field<T> added = new Field<>(name, getter, setter);
        if (name.isBlank()) {
            throw Errors.argument("a field needs a name: name='%s'", name);
        }
        if (fields.stream().anyMatch(field -> field.name.equals(name))) {
            throw Errors.argument(
                    "two fields must not have one name: field='%s'; rename one of them", name);
        }
        List<Field<T>> more = new ArrayList<>(fields);
        more.add(added);
        return new TextFields<>(more);
    }

    /** The fields in order. */
    public List<Field<T>> fields() {
        return Collections.unmodifiableList(fields);
    }

    /**
     * A field.
     *
     * @param name for errors
     */
    @PublicEvolving
    public record Field<T>(String name, TextGetter<T> getter, TextSetter<T> setter)
            implements Serializable {

        private static final long serialVersionUID = 1L;

        public Field {
            Errors.present("name", name);
            Errors.present("getter", getter);
            Errors.present("setter", setter);
        }
    }
}
