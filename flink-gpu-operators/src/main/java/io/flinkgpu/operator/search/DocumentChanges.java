package io.flinkgpu.operator.search;

import io.flinkgpu.api.search.SetChange;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Reads changes of records.
 *
 * @param <C> a change's record
 */
@Internal
public final class DocumentChanges<C> extends ProcessFunction<C, DocumentChange> {

    private static final long serialVersionUID = 1L;

    private final SetReader<C, SetChange> reader;

    public DocumentChanges(SetReader<C, SetChange> reader) {
        this.reader = reader;
    }

    @Override
    public void open(OpenContext context) {
        reader.open(getRuntimeContext());
    }

    @Override
    public void processElement(C record, Context context, Collector<DocumentChange> out) {
        SetChange change = reader.read(record, context);
        if (change != null) {
            out.collect(DocumentChange.of(change));
        }
    }
}
