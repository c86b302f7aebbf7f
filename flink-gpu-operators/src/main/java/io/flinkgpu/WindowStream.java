package io.flinkgpu;

import org.apache.flink.streaming.api.datastream.SideOutputDataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.util.OutputTag;

/** The two operators of windows as the one that they are to the user. */
final class WindowStream<R> extends SingleOutputStreamOperator<R> {

    private final SingleOutputStreamOperator<?> local;
    private final OutputTag<?> deadLetterTag;

    /**
     * @param local the operator before the windows
     * @param deadLetterTag that operator's side output; null if it has none
     */
    WindowStream(
            SingleOutputStreamOperator<R> windows,
            SingleOutputStreamOperator<?> local,
            OutputTag<?> deadLetterTag) {
        super(windows.getExecutionEnvironment(), windows.getTransformation());
        this.local = local;
        this.deadLetterTag = deadLetterTag;
    }

    @Override
    public SingleOutputStreamOperator<R> uid(String uid) {
        local.uid(uid + "-local");
        return super.uid(uid);
    }

    @Override
    public <X> SideOutputDataStream<X> getSideOutput(OutputTag<X> tag) {
        return tag.equals(deadLetterTag) ? local.getSideOutput(tag) : super.getSideOutput(tag);
    }

    /**
     * @throws UnsupportedOperationException always
     */
    @Override
    public SingleOutputStreamOperator<R> enableAsyncState() {
        throw new UnsupportedOperationException(
                "window aggregates access state in batches, not asynchronously; leave out"
                        + " enableAsyncState()");
    }
}
