package io.flinkgpu.windows;

import io.flinkgpu.api.Aggregates;
import io.flinkgpu.api.ValueType;

/** The numbers of a {@link Reading}: how the API is told of them, and what they are. */
enum Column {
    WHOLE(ValueType.INT) {
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
    WHOLE_OR_NULL(ValueType.INT) {
        @Override
        Number value(Reading reading) {
            return reading.wholeOrNull;
        }
    },
    BIG(ValueType.LONG) {
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
    BIG_OR_NULL(ValueType.LONG) {
        @Override
        Number value(Reading reading) {
            return reading.bigOrNull;
        }
    },
    SINGLE(ValueType.FLOAT) {
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
    SINGLE_OR_NULL(ValueType.FLOAT) {
        @Override
        Number value(Reading reading) {
            return reading.singleOrNull;
        }
    },
    REAL(ValueType.DOUBLE) {
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
    REAL_OR_NULL(ValueType.DOUBLE) {
        @Override
        Number value(Reading reading) {
            return reading.realOrNull;
        }
    },
    PRICE(ValueType.decimal(12, 3)) {
        @Override
        Number value(Reading reading) {
            return reading.price;
        }
    };

    private final ValueType type;

    Column(ValueType type) {
        this.type = type;
    }

    ValueType type() {
        return type;
    }

    /** The aggregates with this column behind their others; null is none yet. */
    Aggregates<Reading> declare(Aggregates<Reading> before) {
        return before == null ? Aggregates.of(this::value, type) : before.and(this::value, type);
    }

    abstract Number value(Reading reading);
}
