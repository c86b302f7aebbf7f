package io.flinkgpu.operator.lookup;

import io.flinkgpu.api.Errors;
import io.flinkgpu.api.lookup.BaseFile;
import io.flinkgpu.api.lookup.EmbeddingTable;
import io.flinkgpu.embeddings.Rebase;
import io.flinkgpu.embeddings.TableGauge;

import org.apache.flink.api.common.state.BroadcastState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.OperatorStateStore;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * The state of tables, equal in all subtasks: of each its base file, and what changed since. Task thread only.
 */
final class KeptTables {

    private static final Logger LOG = LoggerFactory.getLogger(KeptTables.class);

    private final List<EmbeddingTable> asked;
    private final BroadcastState<String, TableState> states;
    private final List<BroadcastState<Long, Delta>> deltas = new ArrayList<>();

    /** With the base files of the state. */
    private List<EmbeddingTable> tables;

    /**
     * @param asked what the job says of the tables
     */
    KeptTables(OperatorStateStore store, List<EmbeddingTable> asked) throws Exception {
        this.asked = asked;
        states =
                store.getBroadcastState(
                        new MapStateDescriptor<>(
                                "tables",
                                StringSerializer.INSTANCE,
                                TableStateSerializer.INSTANCE));
        for (EmbeddingTable table : asked) {
            deltas.add(
                    store.getBroadcastState(
                            new MapStateDescriptor<>(
                                    "changes-" + table.name(),
                                    LongSerializer.INSTANCE,
                                    DeltaSerializer.INSTANCE)));
        }
    }

    /**
     * The tables as they are to be loaded: with the base files of the state, which are new ones where a table
     * changed enough.
     */
    List<EmbeddingTable> restore(RebasePolicy policy) throws Exception {
        tables = new ArrayList<>();
        for (int number = 0; number < asked.size(); number++) {
            EmbeddingTable table = asked.get(number);
            TableState state = states.get(table.name());
            EmbeddingTable restored = state == null ? table : restored(number, table, state);
            tables.add(state == null ? table : rebased(number, restored, state, policy));
        }
        return tables;
    }

    /**
     * Refuses what waits in state for a table that the job does not have any more. Before {@link #loaded}.
     *
     * @param number of the table when it came
     * @param what it is
     */
    void requireTable(int number, String what) throws Exception {
        if (number < asked.size() && states.contains(asked.get(number).name())) {
            return;
        }
        List<String> gone = new ArrayList<>();
        for (Map.Entry<String, TableState> entry : states.immutableEntries()) {
            if (entry.getValue().number() == number) {
                gone.add(entry.getKey());
            }
        }
        throw Errors.state(
                "what waits for the watermark in state needs its table: table=%s, number=%s, waiting=%s;"
                        + " keep the table until nothing of it waits, as after stop-with-savepoint"
                        + " --drain",
                String.join(" or ", gone), number, what);
    }

    private static EmbeddingTable restored(int number, EmbeddingTable table, TableState state) {
        if (state.type() != table.type() || state.dimension() != table.dimension()) {
            throw Errors.state(
                    "a table has the vectors that it had when the state was written: table=%s, is=%s x"
                            + " %s, was=%s x %s; give another table another name",
                    table.name(), table.dimension(), table.type(), state.dimension(), state.type());
        }
        if (state.number() != number) {
            throw Errors.state(
                    "tables keep their order, so that what waits in state finds them: table=%s, is=%s,"
                            + " was=%s; add new ones at the end",
                    table.name(), number, state.number());
        }
        if (state.base() == null && table.base().isPresent()) {
            throw Errors.state(
                    "a table goes on with what its state has, which is no base file: table=%s; leave"
                            + " it out, or give the table another name",
                    table.name());
        }
        return state.base() == null ? table : table.withBase(located(state.base(), table));
    }

    /** The state's file, or that of the job where it was moved to. */
    private static BaseFile located(BaseFile base, EmbeddingTable table) {
        boolean isMoved =
                !Files.exists(Path.of(base.path()))
                        && table.base().isPresent()
                        && Files.exists(Path.of(table.base().get().path()));
        return isMoved ? table.base().get().withChecksum(base.checksum().orElseThrow()) : base;
    }

    private EmbeddingTable rebased(
            int number, EmbeddingTable table, TableState state, RebasePolicy policy)
            throws Exception {
        Map<Long, byte[]> changes = new HashMap<>();
        for (Map.Entry<Long, Delta> entry : deltas.get(number).entries()) {
            changes.put(entry.getKey(), entry.getValue().vector());
        }
        if (policy.directory() == null || changes.size() < policy.minChanges()) {
            return table;
        }
        long started = System.nanoTime();
        Path path;
        try {
            path =
                    new Rebase(table, changes)
                            .write(Path.of(policy.directory()), state.version() + 1);
        } catch (IOException e) {
            throw new IOException(
                    "a new base file cannot be written: table="
                            + table.name()
                            + ", directory="
                            + policy.directory()
                            + ", "
                            + e.getMessage()
                            + "; make room there, or leave out rebase(..)",
                    e);
        }
        deltas.get(number).clear();
        LOG.info(
                "A table has a new base file: table={}, file={}, changes={}, millis={}",
                table.name(),
                path,
                changes.size(),
                (System.nanoTime() - started) / 1_000_000);
        return table.withBase(BaseFile.raw(path.toString()));
    }

    /**
     * Writes which base files were loaded.
     *
     * @param gauges of the program that has loaded them
     */
    void loaded(Map<String, LongSupplier> gauges) throws Exception {
        for (int number = 0; number < tables.size(); number++) {
            EmbeddingTable table = tables.get(number);
            long checksum = gauge(gauges, TableGauge.BASE_CHECKSUM, table);
            states.put(
                    table.name(),
                    new TableState(
                            number,
                            table.type(),
                            table.dimension(),
                            table.base().map(base -> base.withChecksum(checksum)).orElse(null),
                            gauge(gauges, TableGauge.BASE_VERSION, table)));
        }
    }

    private static long gauge(
            Map<String, LongSupplier> gauges, TableGauge gauge, EmbeddingTable table) {
        return gauges.get(gauge.of(table.name())).getAsLong();
    }

    /** Gets the changes of the state. */
    interface Replay {

        void add(TableChange change) throws Exception;
    }

    /** Gives all changes since the base files, of each vector the last. */
    void replay(Replay replay) throws Exception {
        for (int number = 0; number < tables.size(); number++) {
            for (Map.Entry<Long, Delta> entry : deltas.get(number).entries()) {
                replay.add(new TableChange(number, entry.getKey(), entry.getValue().vector()));
            }
        }
    }

    /**
     * Keeps a change, unless one with a later timestamp was kept of its vector.
     *
     * @param timestamp the least one in the order of arrival
     * @return whether it was kept
     */
    boolean keep(TableChange change, long timestamp) throws Exception {
        BroadcastState<Long, Delta> ofTable = deltas.get(change.table());
        boolean isOrdered = timestamp != Long.MIN_VALUE;
        if (isOrdered) {
            Delta last = ofTable.get(change.id());
            if (last != null && last.timestamp() > timestamp) {
                return false;
            }
        }
        boolean hasBase = tables.get(change.table()).base().isPresent();
        if (change.isDelete() && !hasBase && !isOrdered) {
            ofTable.remove(change.id());
        } else {
            ofTable.put(change.id(), new Delta(timestamp, change.vector()));
        }
        return true;
    }
}
