package io.flinkgpu.state;

import io.flinkgpu.api.ValueSpec;

import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

import java.io.IOException;
import java.util.List;

/**
 * Writes partials as {@link PartialFormat} says; what is kept of each column stands in the snapshot, not
 * with each partial. Stateless.
 */
public final class PartialSerializer extends TypeSerializer<Partial> {

    private static final long serialVersionUID = 1L;

    private final KeptColumn[] kept;

    public PartialSerializer(List<ValueSpec> specs) {
        this(KeptColumn.of(specs).toArray(KeptColumn[]::new));
    }

    PartialSerializer(KeptColumn[] kept) {
        this.kept = kept;
    }

    @Override
    public boolean isImmutableType() {
        return false;
    }

    @Override
    public TypeSerializer<Partial> duplicate() {
        return this;
    }

    @Override
    public Partial createInstance() {
        ColumnPartial[] columns = new ColumnPartial[kept.length];
        for (int i = 0; i < columns.length; i++) {
            columns[i] = kept[i].empty();
        }
        return new Partial(columns);
    }

    @Override
    public Partial copy(Partial from) {
        return from.copy();
    }

    @Override
    public Partial copy(Partial from, Partial reuse) {
        return copy(from);
    }

    @Override
    public int getLength() {
        return -1;
    }

    @Override
    public void serialize(Partial partial, DataOutputView target) throws IOException {
        if (partial.columns() != kept.length) {
            throw new IllegalStateException(
                    "a partial must have its serializer's columns: columns="
                            + partial.columns()
                            + ", serializer="
                            + this);
        }
        for (int i = 0; i < kept.length; i++) {
            PartialFormat.write(partial.column(i, kept[i]), kept[i], target);
        }
    }

    @Override
    public Partial deserialize(DataInputView source) throws IOException {
        ColumnPartial[] columns = new ColumnPartial[kept.length];
        for (int i = 0; i < columns.length; i++) {
            columns[i] = PartialFormat.read(kept[i], source);
        }
        return new Partial(columns);
    }

    @Override
    public Partial deserialize(Partial reuse, DataInputView source) throws IOException {
        return deserialize(source);
    }

    @Override
    public void copy(DataInputView source, DataOutputView target) throws IOException {
        serialize(deserialize(source), target);
    }

    @Override
    public TypeSerializerSnapshot<Partial> snapshotConfiguration() {
        return new PartialSerializerSnapshot(List.of(kept));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PartialSerializer that && List.of(kept).equals(List.of(that.kept));
    }

    @Override
    public int hashCode() {
        return List.of(kept).hashCode();
    }

    /** What is kept, for Flink's message when a savepoint does not fit. */
    @Override
    public String toString() {
        return "PartialSerializer" + List.of(kept);
    }
}
