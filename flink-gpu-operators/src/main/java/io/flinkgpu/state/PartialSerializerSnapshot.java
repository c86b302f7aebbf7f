package io.flinkgpu.state;

import io.flinkgpu.api.CountedBytes;
import io.flinkgpu.api.Errors;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSchemaCompatibility;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What a savepoint remembers of its partials: the format, and what is kept of each column. Columns are
 * known by their position, so they can be renamed. Aggregates can be added and removed as long as what
 * they need was kept before; a job that needs more is refused by Flink, as the values are gone.
 */
@Internal
public final class PartialSerializerSnapshot implements TypeSerializerSnapshot<Partial> {

    private List<KeptColumn> kept;

    /** For Flink, which reads the rest. */
    public PartialSerializerSnapshot() {
        this(List.of());
    }

    PartialSerializerSnapshot(List<KeptColumn> kept) {
        this.kept = kept;
    }

    @Override
    public int getCurrentVersion() {
        return kept.stream().anyMatch(column -> column.hasCells() || column.squares())
                ? PartialFormat.SECOND
                : PartialFormat.FIRST;
    }

    @Override
    public void writeSnapshot(DataOutputView target) throws IOException {
        target.writeInt(kept.size());
        for (KeptColumn column : kept) {
            column.write(target);
        }
    }

    @Override
    public void readSnapshot(int version, DataInputView source, ClassLoader userCodeClassLoader)
            throws IOException {
        if (version < PartialFormat.FIRST || version > PartialFormat.SECOND) {
            throw Errors.io(
                    "a savepoint's partials must have a format that is known: format=%s, known=1 to %s;"
                            + " use the version of this library that wrote it, or a later one",
                    version, PartialFormat.SECOND);
        }
        int size = source.readInt();
        if (size < 0) {
            throw CountedBytes.corrupt("a serializer of partials", "columns=" + size, null);
        }
        // Not of this size from the start: the number may be wrong.
        List<KeptColumn> read = new ArrayList<>();
        try {
            for (int i = 0; i < size; i++) {
                KeptColumn column = KeptColumn.read(source);
                column.empty();
                read.add(column);
            }
        } catch (EOFException | RuntimeException e) {
            throw CountedBytes.corrupt("a serializer of partials", "columns=" + size, e);
        }
        kept = read;
    }

    @Override
    public TypeSerializer<Partial> restoreSerializer() {
        return new PartialSerializer(kept.toArray(KeptColumn[]::new));
    }

    @Override
    public TypeSerializerSchemaCompatibility<Partial> resolveSchemaCompatibility(
            TypeSerializerSnapshot<Partial> oldSnapshot) {
        if (!(oldSnapshot instanceof PartialSerializerSnapshot old)) {
            return TypeSerializerSchemaCompatibility.incompatible();
        }
        if (kept.equals(old.kept)) {
            return TypeSerializerSchemaCompatibility.compatibleAsIs();
        }
        return isWithin(old.kept)
                ? TypeSerializerSchemaCompatibility.compatibleAfterMigration()
                : TypeSerializerSchemaCompatibility.incompatible();
    }

    private boolean isWithin(List<KeptColumn> that) {
        if (kept.size() != that.size()) {
            return false;
        }
        for (int i = 0; i < kept.size(); i++) {
            if (!kept.get(i).isWithin(that.get(i))) {
                return false;
            }
        }
        return true;
    }
}
