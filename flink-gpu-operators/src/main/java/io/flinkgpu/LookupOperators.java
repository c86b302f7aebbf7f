package io.flinkgpu;

import io.flinkgpu.ResidentResults.Part;
import io.flinkgpu.api.ValueGetter;
import io.flinkgpu.api.lookup.LookupRequest;
import io.flinkgpu.api.lookup.VectorChange;
import io.flinkgpu.operator.ReadFunction;
import io.flinkgpu.operator.RecordReader;
import io.flinkgpu.operator.lookup.LookupMode;
import io.flinkgpu.operator.lookup.LookupOperatorFactory;
import io.flinkgpu.operator.lookup.LookupSpec;
import io.flinkgpu.operator.lookup.TableChange;
import io.flinkgpu.operator.lookup.TableChangeTypeInfo;
import io.flinkgpu.operator.lookup.TableReader;
import io.flinkgpu.operator.lookup.TableRequest;
import io.flinkgpu.operator.lookup.TableRequestTypeInfo;

import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.transformations.PartitionTransformation;

import java.util.List;

/**
 * Builds the operators of a lookup: requests and changes are read and sent to all that look up. Changes are read by
 * one subtask, so that all others get them in one order.
 */
final class LookupOperators<Q, C> {

    private static final String LOOKUP = "gpu-lookup";
    private static final String REQUESTS = "-requests";
    private static final String CHANGES = "-changes";
    private static final RecordReader.Purpose PURPOSE =
            new RecordReader.Purpose("a lookup", "be looked up with");

    private final SingleOutputStreamOperator<TableRequest<Q>> requests;
    private final SingleOutputStreamOperator<TableChange> changes;
    private final LookupSettings settings;

    private LookupOperators(
            SingleOutputStreamOperator<TableRequest<Q>> requests,
            SingleOutputStreamOperator<TableChange> changes,
            LookupSettings settings) {
        this.requests = requests;
        this.changes = changes;
        this.settings = settings;
    }

    /** Reads requests and changes. */
    static <Q, C> LookupOperators<Q, C> of(
            DataStream<Q> requests,
            ValueGetter<Q, LookupRequest> request,
            DataStream<C> changes,
            ValueGetter<C, VectorChange> change,
            LookupSettings settings) {
        TableReader tables = new TableReader(settings.tables(), settings.scoring());
        SingleOutputStreamOperator<TableRequest<Q>> asked =
                requests.process(
                        new ReadFunction<>(reader("requests", tables.requests(request), settings)),
                        new TableRequestTypeInfo<>(requests.getType()));
        SingleOutputStreamOperator<TableChange> read =
                changes.process(
                                new ReadFunction<>(
                                        reader("changes", tables.changes(change), settings)),
                                TableChangeTypeInfo.INSTANCE)
                        .forceNonParallel();
        return new LookupOperators<>(
                WindowStream.chained(asked.name(LOOKUP + REQUESTS), requests),
                read.name(LOOKUP + CHANGES),
                settings);
    }

    private static <T, S> RecordReader<T, S> reader(
            String stream, ValueGetter<T, S> getter, LookupSettings settings) {
        return new RecordReader<>(
                PURPOSE,
                stream,
                getter,
                settings.isEventTime(),
                settings.deadLetters(),
                settings.options().errorValues());
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
                                        new LookupMode(settings.isEventTime(), settings.rebase()),
                                        settings.options(),
                                        settings.backend()));
        if (settings.parallelism() > 0) {
            lookup.setParallelism(settings.parallelism());
        }
        return new ResidentResults<>(
                new ResidentResults.Names("a lookup", LOOKUP),
                List.of(
                        new Part(requests, REQUESTS, true),
                        new Part(changes, CHANGES, true),
                        new Part(lookup, "", false)),
                lookup,
                settings.deadLetters());
    }

    private DataStream<TableRequest<Q>> spread() {
        if (!settings.isEventTime()) {
            return requests;
        }
        DataStream<TableRequest<Q>> spread = requests.rebalance();
        RawRecords.align((PartitionTransformation<?>) spread.getTransformation());
        return spread;
    }
}
