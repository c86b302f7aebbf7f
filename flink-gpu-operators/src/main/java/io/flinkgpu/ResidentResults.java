package io.flinkgpu;

import io.flinkgpu.api.RefusedRecord;

import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SideOutputDataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.util.OutputTag;

import java.util.List;

/**
 * The operators of requests and of changes of what is resident as the one that they are to the user.
 *
 * @param <R> what the last of them gives
 */
final class ResidentResults<R> extends SingleOutputStreamOperator<R> {

    private static final String DEAD_LETTERS = "-dead-letters";

    private final Names names;
    private final List<Part> parts;
    private final OutputTag<RefusedRecord> deadLetters;
    private SingleOutputStreamOperator<RefusedRecord> refused;

    /**
     * What they are called.
     *
     * @param verb what is done, for errors
     * @param name of the operators, which comes before that of each
     */
    record Names(String verb, String name) {}

    /**
     * An operator.
     *
     * @param suffix of its name; empty for the one that the others serve
     * @param isReader whether its records may go to the side output
     */
    record Part(SingleOutputStreamOperator<?> operator, String suffix, boolean isReader) {}

    /**
     * @param parts all operators
     * @param deadLetters the side output of the readers; null if there is none
     */
    ResidentResults(
            Names names,
            List<Part> parts,
            SingleOutputStreamOperator<R> last,
            OutputTag<RefusedRecord> deadLetters) {
        super(last.getExecutionEnvironment(), last.getTransformation());
        this.names = names;
        this.parts = parts;
        this.deadLetters = deadLetters;
    }

    @Override
    public SingleOutputStreamOperator<R> uid(String uid) {
        parts.forEach(part -> part.operator.uid(uid + part.suffix));
        if (deadLetters != null) {
            refused().uid(uid + DEAD_LETTERS);
        }
        return this;
    }

    @Override
    public SingleOutputStreamOperator<R> name(String name) {
        parts.forEach(part -> part.operator.name(name + part.suffix));
        return this;
    }

    @Override
    public <X> SideOutputDataStream<X> getSideOutput(OutputTag<X> tag) {
        return tag.equals(deadLetters) ? refused().getSideOutput(tag) : super.getSideOutput(tag);
    }

    /** The side outputs of all readers as that of one operator, as Flink wants it. */
    private SingleOutputStreamOperator<RefusedRecord> refused() {
        if (refused == null) {
            DataStream<RefusedRecord> all =
                    parts.stream()
                            .filter(Part::isReader)
                            .map(part -> sideOutput(part.operator))
                            .reduce(DataStream::union)
                            .orElseThrow();
            refused =
                    all.process(new ToSide(deadLetters), deadLetters.getTypeInfo())
                            .name(names.name + DEAD_LETTERS);
        }
        return refused;
    }

    private DataStream<RefusedRecord> sideOutput(SingleOutputStreamOperator<?> operator) {
        return operator.getSideOutput(deadLetters);
    }

    /**
     * @throws UnsupportedOperationException always
     */
    @Override
    public SingleOutputStreamOperator<R> enableAsyncState() {
        throw new UnsupportedOperationException(
                names.verb
                        + " accesses state in batches, not asynchronously; leave out"
                        + " enableAsyncState()");
    }
}
