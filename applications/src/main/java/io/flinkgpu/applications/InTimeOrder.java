package io.flinkgpu.applications;

import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/** Lines of several subtasks in the order of their timestamps, no two of which are the same. */
final class InTimeOrder extends KeyedProcessFunction<Integer, byte[], byte[]> {

    private static final long serialVersionUID = 1L;

    private transient MapState<Long, byte[]> waiting;

    @Override
    public void open(OpenContext context) {
        waiting =
                getRuntimeContext()
                        .getMapState(
                                new MapStateDescriptor<>(
                                        "waiting",
                                        Types.LONG,
                                        PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO));
    }

    @Override
    public void processElement(byte[] line, Context context, Collector<byte[]> out)
            throws Exception {
        waiting.put(context.timestamp(), line);
        context.timerService().registerEventTimeTimer(context.timestamp());
    }

    @Override
    public void onTimer(long timestamp, OnTimerContext context, Collector<byte[]> out)
            throws Exception {
        out.collect(waiting.get(timestamp));
        waiting.remove(timestamp);
    }
}
