package io.flinkgpu.operator.lines;

import io.flinkgpu.api.ErrorValues;
import io.flinkgpu.api.Lines;
import io.flinkgpu.api.lines.LineMapper;

import org.apache.flink.annotation.Internal;
import org.apache.flink.streaming.api.operators.AbstractStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.ChainingStrategy;
import org.apache.flink.streaming.api.operators.OneInputStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;

import java.util.Objects;

/** Makes the operators that make a record of each line. Travels in the job graph. */
@Internal
public final class LineRecordsOperatorFactory<T> extends AbstractStreamOperatorFactory<T>
        implements OneInputStreamOperatorFactory<Lines, T> {

    private static final long serialVersionUID = 1L;

    private final LineReading reading;
    private final LineMapper<T> mapper;
    private final ErrorValues errors;

    /**
     * @param errors writes text of lines into messages
     */
    public LineRecordsOperatorFactory(
            LineReading reading, LineMapper<T> mapper, ErrorValues errors) {
        this.reading = Objects.requireNonNull(reading, "reading");
        this.mapper = Objects.requireNonNull(mapper, "mapper");
        this.errors = Objects.requireNonNull(errors, "errors");
        this.chainingStrategy = ChainingStrategy.ALWAYS;
    }

    @Override
    @SuppressWarnings(
            "unchecked") // The framework asks for the type this factory was declared with.
    public <O extends StreamOperator<T>> O createStreamOperator(
            StreamOperatorParameters<T> parameters) {
        return (O) new LineRecordsOperator<>(parameters, reading, mapper, errors);
    }

    @Override
    @SuppressWarnings("rawtypes") // As declared by Flink.
    public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader classLoader) {
        return LineRecordsOperator.class;
    }
}
