package io.flinkgpu.operator;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Emits what is read of records.
 *
 * @param <T> a record
 * @param <S> what is read of it
 */
@Internal
public final class ReadFunction<T, S> extends ProcessFunction<T, S> {

    private static final long serialVersionUID = 1L;

    private final RecordReader<T, S> reader;

    public ReadFunction(RecordReader<T, S> reader) {
        this.reader = reader;
    }

    @Override
    public void open(OpenContext context) {
        reader.open(getRuntimeContext());
    }

    @Override
    public void processElement(T record, Context context, Collector<S> out) {
        S read = reader.read(record, context);
        if (read != null) {
            out.collect(read);
        }
    }
}
