package io.flinkgpu.state;

import io.flinkgpu.api.CountedBytes;
import io.flinkgpu.api.Errors;
import io.flinkgpu.api.FreshSerializer;
import io.flinkgpu.api.ValueSpec;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

import java.io.EOFException;
import java.io.IOException;
import java.util.List;

/**
 * Writes partials as {@link PartialFormat} says; what is kept of each column stands in the snapshot, not
 * with each partial. Stateless.
 */
@Internal
public final class PartialSerializer extends FreshSerializer<Partial> {

    private static final long serialVersionUID = 1L;

    private final KeptColumn[] kept;

    public PartialSerializer(List<ValueSpec> specs) {
        this(KeptColumn.of(specs).toArray(KeptColumn[]::new));
    }

    PartialSerializer(KeptColumn[] kept) {
        super((Object[]) kept);
        this.kept = kept;
    }

    @Override
    public boolean isImmutableType() {
        return false;
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
    public void serialize(Partial partial, DataOutputView target) throws IOException {
        if (partial.columns() != kept.length) {
            throw Errors.state(
                    "a partial must have its serializer's columns: columns=%s, serializer=%s",
                    partial.columns(), this);
        }
        for (int i = 0; i < kept.length; i++) {
            PartialFormat.write(partial.column(i, kept[i]), kept[i], target);
        }
    }

    @Override
    public Partial deserialize(DataInputView source) throws IOException {
        ColumnPartial[] columns = new ColumnPartial[kept.length];
        try {
            for (int i = 0; i < columns.length; i++) {
                columns[i] = PartialFormat.read(kept[i], source);
            }
        } catch (EOFException | RuntimeException e) {
            // What is no partial may be anything.
            throw CountedBytes.corrupt("a partial", "columns=" + kept.length, e);
        }
        return new Partial(columns);
    }

    @Override
    public TypeSerializerSnapshot<Partial> snapshotConfiguration() {
        return new PartialSerializerSnapshot(List.of(kept));
    }
}
