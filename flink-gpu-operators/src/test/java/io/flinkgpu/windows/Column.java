package io.flinkgpu.windows;

import io.flinkgpu.api.Aggregates;
import io.flinkgpu.api.ColumnType;

/** The numbers of a {@link Reading}: how the API is told of them, and what they are. */
enum Column {
    WHOLE(ColumnType.INT) {
        @Override
        Aggregates<Reading> declare(Aggregates<Reading> before) {
            return before == null
                    ? Aggregates.of((Reading reading) -> reading.whole)
                    : before.and((Reading reading) -> reading.whole);
        }

        @Override
        Number value(Reading reading) {
            return reading.whole;
        }
    },
    WHOLE_OR_NULL(ColumnType.INT) {
        @Override
        Number value(Reading reading) {
            return reading.wholeOrNull;
        }
    },
    BIG(ColumnType.LONG) {
        @Override
        Aggregates<Reading> declare(Aggregates<Reading> before) {
            return before == null
                    ? Aggregates.of((Reading reading) -> reading.big)
                    : before.and((Reading reading) -> reading.big);
        }

        @Override
        Number value(Reading reading) {
            return reading.big;
        }
    },
    BIG_OR_NULL(ColumnType.LONG) {
        @Override
        Number value(Reading reading) {
            return reading.bigOrNull;
        }
    },
    SINGLE(ColumnType.FLOAT) {
        @Override
        Aggregates<Reading> declare(Aggregates<Reading> before) {
            return before == null
                    ? Aggregates.of((Reading reading) -> reading.single)
                    : before.and((Reading reading) -> reading.single);
        }

        @Override
        Number value(Reading reading) {
            return reading.single;
        }
    },
    SINGLE_OR_NULL(ColumnType.FLOAT) {
        @Override
        Number value(Reading reading) {
            return reading.singleOrNull;
        }
    },
    REAL(ColumnType.DOUBLE) {
        @Override
        Aggregates<Reading> declare(Aggregates<Reading> before) {
            return before == null
                    ? Aggregates.of((Reading reading) -> reading.real)
                    : before.and((Reading reading) -> reading.real);
        }

        @Override
        Number value(Reading reading) {
            return reading.real;
        }
    },
    REAL_OR_NULL(ColumnType.DOUBLE) {
        @Override
        Number value(Reading reading) {
            return reading.realOrNull;
        }
    },
    PRICE(ColumnType.decimal(12, 3)) {
        @Override
        Number value(Reading reading) {
            return reading.price;
        }
    };

    private final ColumnType type;

    Column(ColumnType type) {
        this.type = type;
    }

    ColumnType type() {
        return type;
    }

    /** The aggregates with this column behind their others; null is none yet. */
    Aggregates<Reading> declare(Aggregates<Reading> before) {
        return before == null ? Aggregates.of(this::value, type) : before.and(this::value, type);
    }

    abstract Number value(Reading reading);
}
