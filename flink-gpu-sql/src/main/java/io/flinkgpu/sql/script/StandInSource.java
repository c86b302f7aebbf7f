package io.flinkgpu.sql.script;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.ProviderContext;
import org.apache.flink.table.connector.source.DataStreamScanProvider;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.connector.source.LookupTableSource;
import org.apache.flink.table.connector.source.ScanTableSource;
import org.apache.flink.table.connector.source.abilities.SupportsReadingMetadata;
import org.apache.flink.table.connector.source.lookup.LookupFunctionProvider;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.functions.LookupFunction;
import org.apache.flink.table.types.DataType;

import java.util.Collection;
import java.util.List;
import java.util.Map;

/** A source that is planned, by its columns, and never run. */
final class StandInSource implements ScanTableSource, LookupTableSource, SupportsReadingMetadata {

    private final ChangelogMode mode;
    private final Map<String, DataType> metadata;

    /** What it gives; null for the table's own columns. */
    private DataType produced;

    StandInSource(ChangelogMode mode, Map<String, DataType> metadata) {
        this.mode = mode;
        this.metadata = metadata;
    }

    @Override
    public ChangelogMode getChangelogMode() {
        return mode;
    }

    @Override
    public ScanRuntimeProvider getScanRuntimeProvider(ScanContext context) {
        return new DataStreamScanProvider() {
            @Override
            public DataStream<RowData> produceDataStream(
                    ProviderContext provider, StreamExecutionEnvironment env) {
                return env.fromSource(
                                new NumberSequenceSource(1, 1),
                                WatermarkStrategy.noWatermarks(),
                                "stand-in")
                        .map(number -> (RowData) new GenericRowData(0))
                        .returns(TypeInformation.of(RowData.class));
            }

            @Override
            public boolean isBounded() {
                return false;
            }
        };
    }

    @Override
    public LookupRuntimeProvider getLookupRuntimeProvider(LookupContext context) {
        return LookupFunctionProvider.of(new NoLookup());
    }

    @Override
    public Map<String, DataType> listReadableMetadata() {
        return metadata;
    }

    @Override
    public void applyReadableMetadata(List<String> keys, DataType type) {
        produced = type;
    }

    @Override
    public DynamicTableSource copy() {
        StandInSource copy = new StandInSource(mode, metadata);
        copy.produced = produced;
        return copy;
    }

    @Override
    public String asSummaryString() {
        return "a stand-in";
    }

    /** Never called. */
    @Internal
    public static final class NoLookup extends LookupFunction {

        private static final long serialVersionUID = 1L;

        @Override
        public Collection<RowData> lookup(RowData key) {
            throw new UnsupportedOperationException("a stand-in of a table is not run");
        }
    }
}
