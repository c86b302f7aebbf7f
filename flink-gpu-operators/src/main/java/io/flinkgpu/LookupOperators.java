package io.flinkgpu;

import io.flinkgpu.ResidentResults.Part;
import io.flinkgpu.api.lookup.LookupRequest;
import io.flinkgpu.api.lookup.VectorChange;
import io.flinkgpu.operator.ReadFunction;
import io.flinkgpu.operator.RecordReader;
import io.flinkgpu.operator.lookup.AskedRequest;
import io.flinkgpu.operator.lookup.LookupMode;
import io.flinkgpu.operator.lookup.LookupOperatorFactory;
import io.flinkgpu.operator.lookup.LookupSpec;
import io.flinkgpu.operator.lookup.TableChange;
import io.flinkgpu.operator.lookup.TableChangeTypeInfo;
import io.flinkgpu.operator.lookup.TableReader;

import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.transformations.PartitionTransformation;

import java.util.List;

/**
 * Builds the operators of a lookup. Requests are read where they are looked up, so that a record crosses the network
 * once. Changes are read by one subtask, so that all that look up get them in one order.
 */
final class LookupOperators<Q, C> {

    private static final String LOOKUP = "gpu-lookup";
    private static final String CHANGES = "-changes";
    private static final RecordReader.Purpose PURPOSE =
            new RecordReader.Purpose("a lookup", "be looked up with");

    private final RecordReader<Q, AskedRequest> requests;
    private final SingleOutputStreamOperator<TableChange> changes;
    private final ResidentStreams<Q, LookupRequest, C, VectorChange> streams;
    private final LookupSettings settings;

    private LookupOperators(
            RecordReader<Q, AskedRequest> requests,
            SingleOutputStreamOperator<TableChange> changes,
            ResidentStreams<Q, LookupRequest, C, VectorChange> streams,
            LookupSettings settings) {
        this.requests = requests;
        this.changes = changes;
        this.streams = streams;
        this.settings = settings;
    }

    /** Reads requests and changes. */
    static <Q, C> LookupOperators<Q, C> of(
            ResidentStreams<Q, LookupRequest, C, VectorChange> streams, LookupSettings settings) {
        TableReader tables = new TableReader(settings.tables(), settings.scoring());
        SingleOutputStreamOperator<TableChange> read =
                streams.changes()
                        .process(
                                new ReadFunction<>(
                                        streams.reader(
                                                PURPOSE,
                                                "changes",
                                                tables.changes(streams.change()))),
                                TableChangeTypeInfo.INSTANCE)
                        .forceNonParallel();
        return new LookupOperators<>(
                streams.reader(PURPOSE, "requests", tables.requests(streams.request())),
                read.name(LOOKUP + CHANGES),
                streams,
                settings);
    }

    /**
     * All operators as the one that they are to the user. Barriers are aligned as the factory asks for; Flink does so
     * where it broadcasts.
     */
    <R> SingleOutputStreamOperator<R> results(LookupSpec<Q, R> spec, TypeInformation<R> type) {
        SingleOutputStreamOperator<R> lookup =
                spread().connect(changes.broadcast())
                        .transform(
                                LOOKUP,
                                type,
                                new LookupOperatorFactory<>(
                                        spec,
                                        new LookupMode(streams.isEventTime(), settings.rebase()),
                                        requests,
                                        streams.options(),
                                        streams.backend()));
        if (streams.parallelism() > 0) {
            lookup.setParallelism(streams.parallelism());
        }
        return new ResidentResults<>(
                new ResidentResults.Names("a lookup", LOOKUP),
                List.of(new Part(changes, CHANGES, true), new Part(lookup, "", true)),
                lookup,
                streams.deadLetters());
    }

    private DataStream<Q> spread() {
        // A keyed stream would make the lookup keyed, which has no state of keys, and takes no
        // other partitions.
        DataStream<Q> requests =
                new DataStream<>(
                        streams.requests().getExecutionEnvironment(),
                        streams.requests().getTransformation());
        if (!streams.isEventTime()) {
            return requests;
        }
        DataStream<Q> spread = requests.rebalance();
        RawRecords.align((PartitionTransformation<?>) spread.getTransformation());
        return spread;
    }
}
