package io.flinkgpu.sql.model;

import io.flinkgpu.sql.rules.TextRedactor;

import org.apache.flink.annotation.Internal;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.functions.FunctionContext;
import org.apache.flink.table.functions.PredictFunction;

import java.util.Collection;
import java.util.List;

/** Redacts each row as it comes. */
@Internal
public final class RowPredict extends PredictFunction {

    private static final long serialVersionUID = 1L;

    private final Redaction redaction;
    private final int texts;
    private transient TextRedactor redactor;

    RowPredict(Redaction redaction, int texts) {
        this.redaction = redaction;
        this.texts = texts;
    }

    @Override
    public void open(FunctionContext context) throws Exception {
        redactor = new TextRedactor(redaction.rules(), redaction.loadKey());
    }

    @Override
    public void close() {
        if (redactor != null) {
            redactor.close();
        }
    }

    @Override
    public Collection<RowData> predict(RowData input) {
        GenericRowData row = new GenericRowData(texts);
        for (int i = 0; i < texts; i++) {
            row.setField(i, input.isNullAt(i) ? null : redacted(input, i));
        }
        return List.of(row);
    }

    /** Fails with an error and not an exception: into one Flink would write the row. */
    private Object redacted(RowData input, int text) {
        try {
            return redactor.redact(input.getString(text));
        } catch (RuntimeException e) {
            throw new UnredactedError(e);
        }
    }
}
