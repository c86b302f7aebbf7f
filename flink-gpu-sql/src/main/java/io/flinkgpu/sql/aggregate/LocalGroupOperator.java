package io.flinkgpu.sql.aggregate;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.runtime.operators.bundle.trigger.BundleTrigger;
import org.apache.flink.table.runtime.operators.bundle.trigger.BundleTriggerCallback;
import org.apache.flink.table.runtime.util.StreamRecordCollector;

import org.apache.arrow.memory.RootAllocator;

/**
 * The local half of an aggregation of mini-batches, in the place of Flink's {@code MapBundleOperator}: all groups
 * are sent when a mini-batch ends, at a watermark and before a checkpoint's barrier, so there is no state.
 */
@Internal
public final class LocalGroupOperator extends AbstractStreamOperator<RowData>
        implements OneInputStreamOperator<RowData, RowData>, BundleTriggerCallback {

    private static final long serialVersionUID = 1L;

    /** What the groups of a mini-batch may take, off the heap; if they take more they are sent before it ends. */
    private static final long MAX_BYTES = 64L << 20;

    private static final long NO_SLICE = 0;

    private final LocalAggregation aggregation;
    private final BundleTrigger<RowData> trigger;
    private final KeySelector<RowData, RowData> keys;
    private transient LocalGroups groups;
    private transient int rows;

    /**
     * @param trigger of Flink, which ends mini-batches
     * @param keys of Flink, which gives binary rows
     */
    public LocalGroupOperator(
            LocalAggregation aggregation,
            BundleTrigger<RowData> trigger,
            KeySelector<RowData, RowData> keys) {
        this.aggregation = aggregation;
        this.trigger = trigger;
        this.keys = keys;
    }

    @Override
    public void open() throws Exception {
        super.open();
        groups =
                new LocalGroups(
                        aggregation,
                        new RootAllocator(MAX_BYTES),
                        "set gpu.sql.exclude to LocalGroupAggregate",
                        new RowOutput(aggregation, new StreamRecordCollector<>(output)));
        trigger.registerCallback(this);
        trigger.reset();
        // Flink's names; groups of rows that wait for others do not count yet.
        getRuntimeContext().getMetricGroup().gauge("bundleSize", (Gauge<Integer>) () -> rows);
        getRuntimeContext()
                .getMetricGroup()
                .gauge(
                        "bundleRatio",
                        (Gauge<Double>)
                                () -> groups.size() == 0 ? 0.0 : (double) rows / groups.size());
    }

    @Override
    public void processElement(StreamRecord<RowData> element) throws Exception {
        RowData row = element.getValue();
        groups.add(keys.getKey(row), NO_SLICE, row);
        rows++;
        trigger.onElement(row);
    }

    @Override
    public void finishBundle() throws Exception {
        if (rows > 0) {
            rows = 0;
            groups.sendAll();
        }
        trigger.reset();
    }

    @Override
    public void processWatermark(Watermark mark) throws Exception {
        finishBundle();
        super.processWatermark(mark);
    }

    @Override
    public void prepareSnapshotPreBarrier(long checkpointId) throws Exception {
        finishBundle();
    }

    @Override
    public void finish() throws Exception {
        finishBundle();
        super.finish();
    }

    @Override
    public void close() throws Exception {
        try {
            super.close();
        } finally {
            if (groups != null) {
                groups.close();
            }
        }
    }
}
