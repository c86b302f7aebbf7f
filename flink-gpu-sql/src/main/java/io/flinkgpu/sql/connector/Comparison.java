package io.flinkgpu.sql.connector;

/** How a value is compared with a constant. */
enum Comparison {
    LESS,
    LESS_OR_EQUAL,
    EQUAL,
    OTHER,
    GREATER_OR_EQUAL,
    GREATER;

    /** The same with both sides changed. */
    Comparison turned() {
        return switch (this) {
            case LESS -> GREATER;
            case LESS_OR_EQUAL -> GREATER_OR_EQUAL;
            case EQUAL -> EQUAL;
            case OTHER -> OTHER;
            case GREATER_OR_EQUAL -> LESS_OR_EQUAL;
            case GREATER -> LESS;
        };
    }

    int holds(int order) {
        boolean holds =
                switch (this) {
                    case LESS -> order < 0;
                    case LESS_OR_EQUAL -> order <= 0;
                    case EQUAL -> order == 0;
                    case OTHER -> order != 0;
                    case GREATER_OR_EQUAL -> order >= 0;
                    case GREATER -> order > 0;
                };
        return holds ? LineFilter.TRUE : LineFilter.FALSE;
    }
}
