package io.flinkgpu.program;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.expression.Expression;
import io.flinkgpu.text.CompiledRules;

import java.util.List;

/**
 * A column of a batch under compilation. Stages are numbered from 0; each is a run of redactions and
 * hashes, and behind it passes that read what there is then.
 */
sealed interface Column {

    ColumnType type();

    /** The first stage whose passes can read it. */
    int stage();

    /** One that the batch starts with. */
    record Input(String name, ColumnType type) implements Column {

        static Input of(Expression column) {
            return new Input((String) column.arguments().get(0), column.type());
        }

        @Override
        public int stage() {
            return 0;
        }
    }

    /**
     * A text that a pass writes.
     *
     * @param pieces in order
     */
    record WrittenText(List<Piece> pieces) implements Column {
        @Override
        public ColumnType type() {
            return ColumnType.TEXT;
        }

        @Override
        public int stage() {
            int latest = 0;
            for (Piece piece : pieces) {
                latest = Math.max(latest, piece.stage());
            }
            return latest + 1;
        }
    }

    /** A number or condition that a pass writes. */
    record WrittenValue(ColumnType type, Node value) implements Column {
        @Override
        public int stage() {
            return value.stage() + 1;
        }
    }

    /** A redacted copy of another. */
    record Redacted(Column source, CompiledRules rules) implements Column {
        @Override
        public ColumnType type() {
            return ColumnType.TEXT;
        }

        @Override
        public int stage() {
            return source.stage();
        }
    }

    /** The hashes of another. */
    record Hashed(Column source) implements Column {
        @Override
        public ColumnType type() {
            return ColumnType.TEXT;
        }

        @Override
        public int stage() {
            return source.stage();
        }
    }
}
