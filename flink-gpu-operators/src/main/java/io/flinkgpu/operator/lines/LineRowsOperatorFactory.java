package io.flinkgpu.operator.lines;

import io.flinkgpu.api.ErrorValues;
import io.flinkgpu.api.Lines;

import org.apache.flink.annotation.Internal;
import org.apache.flink.streaming.api.operators.AbstractStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.ChainingStrategy;
import org.apache.flink.streaming.api.operators.OneInputStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.types.Row;

import java.util.Objects;

/** Makes the operators that make a row of each line. Travels in the job graph. */
@Internal
public final class LineRowsOperatorFactory extends AbstractStreamOperatorFactory<Row>
        implements OneInputStreamOperatorFactory<Lines, Row> {

    private static final long serialVersionUID = 1L;

    private final LineReading reading;
    private final ErrorValues errors;

    /**
     * @param errors writes text of lines into messages
     */
    public LineRowsOperatorFactory(LineReading reading, ErrorValues errors) {
        this.reading = Objects.requireNonNull(reading, "reading");
        this.errors = Objects.requireNonNull(errors, "errors");
        this.chainingStrategy = ChainingStrategy.ALWAYS;
    }

    @Override
    @SuppressWarnings(
            "unchecked") // The framework asks for the type this factory was declared with.
    public <O extends StreamOperator<Row>> O createStreamOperator(
            StreamOperatorParameters<Row> parameters) {
        return (O) new LineRowsOperator(parameters, reading, errors);
    }

    @Override
    @SuppressWarnings("rawtypes") // As declared by Flink.
    public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader classLoader) {
        return LineRowsOperator.class;
    }
}
