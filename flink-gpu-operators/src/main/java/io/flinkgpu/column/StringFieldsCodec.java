package io.flinkgpu.column;

import org.apache.flink.annotation.Internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** A row for each of several text fields of a record; all of them are in one batch. */
@Internal
public final class StringFieldsCodec<T> implements BatchCodec<T> {

    private static final long serialVersionUID = 1L;

    private final ArrayList<StringFieldCodec<T>> fields;

    public StringFieldsCodec(List<StringFieldCodec<T>> fields) {
        this.fields = new ArrayList<>(fields);
    }

    @Override
    public int separatorBytes() {
        return 0;
    }

    @Override
    public boolean append(T record, BatchBuilder batch) {
        return batch.append(texts(record));
    }

    @Override
    public T read(T original, RecordRows rows) {
        // All are read before a setter may change the object.
        String[] texts = texts(original);
        boolean[] changed = new boolean[texts.length];
        for (int i = 0; i < texts.length; i++) {
            String redacted = texts[i] == null ? null : rows.text(i);
            changed[i] = !Objects.equals(texts[i], redacted);
            texts[i] = redacted;
        }
        T record = original;
        for (int i = 0; i < texts.length; i++) {
            if (changed[i]) {
                record = fields.get(i).set(record, texts[i]);
            }
        }
        // A setter may undo what one before it has set.
        for (int i = 0; i < texts.length; i++) {
            fields.get(i).requireText(record, texts[i]);
        }
        return record;
    }

    private String[] texts(T record) {
        String[] texts = new String[fields.size()];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = fields.get(i).text(record);
        }
        return texts;
    }
}
