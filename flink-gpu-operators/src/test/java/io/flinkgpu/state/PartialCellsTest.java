package io.flinkgpu.state;

import io.flinkgpu.api.Aggregate;
import io.flinkgpu.api.CellAggregate;
import io.flinkgpu.api.CellAggregate.Kind;
import io.flinkgpu.api.ColumnAggregate;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.cells.RowCells;
import io.flinkgpu.column.RowValues;

import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSchemaCompatibility;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Partials with cells in state.
 *
 * <p>Covers: PartialCell.
 */
class PartialCellsTest {

    private static final CellAggregate AT =
            new CellAggregate(Kind.ARG_MAX, "at", ColumnType.decimal(5, 2), 0);
    private static final CellAggregate TOP = new CellAggregate(Kind.TOP, "top", ColumnType.TEXT, 3);
    private static final CellAggregate FIRST = new CellAggregate(Kind.FIRST, "", null, 0);

    private static List<ValueSpec> specs(ColumnAggregate... aggregates) {
        return List.of(new ValueSpec("v", ColumnType.INT, List.of(aggregates)));
    }

    private static Partial partial(List<ValueSpec> specs) {
        RowCells cells = new RowCells(specs);
        RowValues row = cells.newRow();
        Partial partial = new Partial(specs);
        for (int i = 0; i < 5; i++) {
            row.putWord(0, i);
            for (int column = 1; column < row.columns(); column++) {
                row.putText(column, "other " + i);
                row.putWord(column, 100 + i);
            }
            cells.fill(row, -i);
            partial.add(row);
        }
        return partial;
    }

    @Test
    void areReadAsTheyWereWritten() throws IOException {
        List<ValueSpec> specs = specs(AT, Aggregate.COUNT, TOP, FIRST);
        PartialSerializer serializer = new PartialSerializer(specs);
        for (Partial partial : List.of(new Partial(specs), partial(specs))) {
            DataOutputSerializer target = new DataOutputSerializer(64);
            serializer.serialize(partial, target);
            DataInputDeserializer source = new DataInputDeserializer(target.getCopyOfBuffer());
            Partial read = restored(serializer).deserialize(source);
            assertThat(source.available()).isZero();
            assertThat(read).isEqualTo(partial);
            assertThat(read.results(specs)).isEqualTo(partial.results(specs));
        }
        assertThat(partial(specs).results(specs)[2])
                .isEqualTo(List.of("other 4", "other 3", "other 2"));
    }

    @Test
    void areKnownByTheirPlaces() throws IOException {
        List<ValueSpec> before = specs(AT, TOP);
        assertThat(
                        fits(
                                before,
                                specs(
                                        new CellAggregate(Kind.ARG_MAX, "renamed", AT.other(), 0),
                                        Aggregate.COUNT,
                                        TOP)))
                .isEqualTo("as is");
        assertThat(fits(before, specs(AT))).isEqualTo("migrated");
        assertThat(fits(before, specs(Aggregate.COUNT))).isEqualTo("migrated");
        assertThat(fits(before, specs(TOP))).isEqualTo("refused");
        assertThat(fits(before, specs(AT, TOP, FIRST))).isEqualTo("refused");
        assertThat(fits(before, specs(AT, new CellAggregate(Kind.TOP, "top", ColumnType.TEXT, 4))))
                .isEqualTo("refused");
        Partial all = partial(before);
        List<ValueSpec> fewer = specs(AT);
        DataOutputSerializer target = new DataOutputSerializer(64);
        new PartialSerializer(fewer).serialize(all, target);
        Partial read =
                new PartialSerializer(fewer)
                        .deserialize(new DataInputDeserializer(target.getCopyOfBuffer()));
        assertThat(read.results(fewer)).isEqualTo(new Object[] {all.results(before)[0]});
    }

    /** Libraries of before cells read what has none. */
    @Test
    void stateWithoutThemIsAsBefore() {
        assertThat(version(specs(Aggregate.COUNT))).isEqualTo(1);
        assertThat(version(specs(FIRST))).isEqualTo(2);
    }

    private static int version(List<ValueSpec> specs) {
        return new PartialSerializer(specs).snapshotConfiguration().getCurrentVersion();
    }

    private static String fits(List<ValueSpec> before, List<ValueSpec> now) throws IOException {
        TypeSerializerSchemaCompatibility<Partial> compatibility =
                new PartialSerializer(now)
                        .snapshotConfiguration()
                        .resolveSchemaCompatibility(snapshot(new PartialSerializer(before)));
        return compatibility.isCompatibleAsIs()
                ? "as is"
                : compatibility.isCompatibleAfterMigration() ? "migrated" : "refused";
    }

    private static TypeSerializer<Partial> restored(PartialSerializer serializer)
            throws IOException {
        return snapshot(serializer).restoreSerializer();
    }

    private static TypeSerializerSnapshot<Partial> snapshot(PartialSerializer serializer)
            throws IOException {
        DataOutputSerializer target = new DataOutputSerializer(64);
        TypeSerializerSnapshot.writeVersionedSnapshot(target, serializer.snapshotConfiguration());
        return TypeSerializerSnapshot.readVersionedSnapshot(
                new DataInputDeserializer(target.getCopyOfBuffer()),
                PartialCellsTest.class.getClassLoader());
    }
}
