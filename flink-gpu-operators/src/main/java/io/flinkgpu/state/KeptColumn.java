package io.flinkgpu.state;

import io.flinkgpu.api.CellAggregate;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.cells.CellFunction;
import io.flinkgpu.cells.KeptCell;

import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What a partial keeps of a column, which is less than its aggregates say: its name and the digits that
 * a decimal may have are not part of it, the count is always kept, MEAN keeps what SUM keeps, and all
 * variances and standard deviations keep the same. Cells are known by their places among those of the
 * column.
 *
 * @param cells without the names of the results
 */
record KeptColumn(
        ColumnType.Kind kind,
        int scale,
        boolean sum,
        boolean extremes,
        boolean squares,
        List<CellAggregate> cells)
        implements Serializable {

    private static final long serialVersionUID = 1L;

    private static final int SUM = 1;
    private static final int EXTREMES = 2;
    private static final int CELLS = 4;
    private static final int SQUARES = 8;

    static List<KeptColumn> of(List<ValueSpec> specs) {
        return specs.stream().map(KeptColumn::of).toList();
    }

    static KeptColumn of(ValueSpec spec) {
        return new KeptColumn(
                spec.type().kind(),
                spec.type().scale(),
                spec.needsSum(),
                spec.needsMinMax(),
                spec.needsSquares(),
                spec.cells().stream().map(CellAggregate::kept).toList());
    }

    boolean isFloating() {
        return kind == ColumnType.Kind.FLOAT || kind == ColumnType.Kind.DOUBLE;
    }

    ColumnPartial empty() {
        return new ColumnPartial(isFloating(), sum, extremes, squares, functions());
    }

    private List<CellFunction> functions() {
        if (cells.isEmpty()) {
            return List.of();
        }
        ColumnType type = type(kind, scale);
        return cells.stream().map(cell -> KeptCell.function(type, cell)).toList();
    }

    boolean hasCells() {
        return !cells.isEmpty();
    }

    /** Whether all that is kept here was kept there, of the same values. */
    boolean isWithin(KeptColumn that) {
        return kind == that.kind
                && scale == that.scale
                && (!sum || that.sum)
                && (!extremes || that.extremes)
                && (!squares || that.squares)
                && cells.size() <= that.cells.size()
                && cells.equals(that.cells.subList(0, cells.size()));
    }

    void write(DataOutputView target) throws IOException {
        target.writeUTF(kind.name());
        target.writeByte(scale);
        target.writeByte(
                (sum ? SUM : 0)
                        | (extremes ? EXTREMES : 0)
                        | (hasCells() ? CELLS : 0)
                        | (squares ? SQUARES : 0));
        if (hasCells()) {
            target.writeByte(cells.size());
            for (CellAggregate cell : cells) {
                write(cell, target);
            }
        }
    }

    private static void write(CellAggregate cell, DataOutputView target) throws IOException {
        target.writeUTF(cell.kind().name());
        target.writeUTF(cell.other() == null ? "" : cell.other().kind().name());
        target.writeByte(cell.other() == null ? 0 : cell.other().scale());
        target.writeInt(cell.limit());
    }

    static KeptColumn read(DataInputView source) throws IOException {
        ColumnType.Kind kind = ColumnType.Kind.valueOf(source.readUTF());
        int scale = source.readByte();
        int parts = source.readByte();
        List<CellAggregate> cells = new ArrayList<>();
        if ((parts & CELLS) != 0) {
            for (int left = source.readByte(); left > 0; left--) {
                cells.add(readCell(source));
            }
        }
        return new KeptColumn(
                kind,
                scale,
                (parts & SUM) != 0,
                (parts & EXTREMES) != 0,
                (parts & SQUARES) != 0,
                List.copyOf(cells));
    }

    private static CellAggregate readCell(DataInputView source) throws IOException {
        CellAggregate.Kind kind = CellAggregate.Kind.valueOf(source.readUTF());
        String other = source.readUTF();
        int scale = source.readByte();
        return new CellAggregate(
                kind,
                "",
                other.isEmpty() ? null : type(ColumnType.Kind.valueOf(other), scale),
                source.readInt());
    }

    /** A type as far as it is kept. */
    private static ColumnType type(ColumnType.Kind kind, int scale) {
        return ColumnType.of(kind, ColumnType.MAX_PRECISION, scale);
    }

    @Override
    public String toString() {
        return kind
                + (kind == ColumnType.Kind.DECIMAL ? " of scale " + scale : "")
                + ": count"
                + (sum ? ", sum" : "")
                + (extremes ? ", min and max" : "")
                + (squares ? ", squares" : "")
                + cells.stream()
                        .map(cell -> ", " + cell.kind().name().toLowerCase(Locale.ROOT))
                        .collect(Collectors.joining());
    }
}
