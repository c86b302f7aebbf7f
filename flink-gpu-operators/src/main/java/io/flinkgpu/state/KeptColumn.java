package io.flinkgpu.state;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.ValueSpec;

import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

import java.io.IOException;
import java.io.Serializable;
import java.util.List;

/**
 * What a partial keeps of a column, which is less than its aggregates say: its name and the digits that
 * a decimal may have are not part of it, the count is always kept, and MEAN keeps what SUM keeps.
 */
record KeptColumn(ColumnType.Kind kind, int scale, boolean sum, boolean extremes)
        implements Serializable {

    private static final long serialVersionUID = 1L;

    private static final int SUM = 1;
    private static final int EXTREMES = 2;

    static List<KeptColumn> of(List<ValueSpec> specs) {
        return specs.stream().map(KeptColumn::of).toList();
    }

    static KeptColumn of(ValueSpec spec) {
        return new KeptColumn(
                spec.type().kind(), spec.type().scale(), spec.needsSum(), spec.needsMinMax());
    }

    boolean isFloating() {
        return kind == ColumnType.Kind.FLOAT || kind == ColumnType.Kind.DOUBLE;
    }

    ColumnPartial empty() {
        return new ColumnPartial(isFloating(), sum, extremes);
    }

    /** Whether all that is kept here was kept there, of the same values. */
    boolean isWithin(KeptColumn that) {
        return kind == that.kind
                && scale == that.scale
                && (!sum || that.sum)
                && (!extremes || that.extremes);
    }

    void write(DataOutputView target) throws IOException {
        target.writeUTF(kind.name());
        target.writeByte(scale);
        target.writeByte((sum ? SUM : 0) | (extremes ? EXTREMES : 0));
    }

    static KeptColumn read(DataInputView source) throws IOException {
        ColumnType.Kind kind = ColumnType.Kind.valueOf(source.readUTF());
        int scale = source.readByte();
        int parts = source.readByte();
        return new KeptColumn(kind, scale, (parts & SUM) != 0, (parts & EXTREMES) != 0);
    }

    @Override
    public String toString() {
        return kind
                + (kind == ColumnType.Kind.DECIMAL ? " of scale " + scale : "")
                + ": count"
                + (sum ? ", sum" : "")
                + (extremes ? ", min and max" : "");
    }
}
