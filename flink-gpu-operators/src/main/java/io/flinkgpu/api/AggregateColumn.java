package io.flinkgpu.api;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A column of {@link Aggregates}.
 *
 * @param getter reads it
 * @param others read the other columns of those aggregates that keep a cell, one for each, null where
 *     there is none
 */
record AggregateColumn<T>(Serializable getter, ArrayList<ValueGetter<T, ?>> others, ValueSpec spec)
        implements Serializable {

    private static final long serialVersionUID = 1L;

    static <T> AggregateColumn<T> of(Serializable getter, String name, ColumnType type) {
        return new AggregateColumn<>(
                getter, new ArrayList<>(), new ValueSpec(name, type, List.of()));
    }

    AggregateColumn<T> named(String name) {
        return new AggregateColumn<>(
                getter, others, new ValueSpec(name, spec.type(), spec.aggregates()));
    }

    /** With a getter and a type for each field of lines. */
    AggregateColumn<T> withFields(
            Function<String, ValueGetter<T, ?>> getters, Function<String, ColumnType> types) {
        String field = FieldOfLine.name(getter);
        AggregateColumn<T> column =
                of(
                        field == null ? getter : getters.apply(field),
                        spec.name(),
                        field == null ? spec.type() : types.apply(field));
        int cell = 0;
        for (ColumnAggregate aggregate : spec.aggregates()) {
            if (aggregate instanceof CellAggregate kept) {
                ValueGetter<T, ?> other = others.get(cell++);
                String otherField = FieldOfLine.name(other);
                column =
                        otherField == null
                                ? column.computing(kept, other)
                                : column.computing(
                                        kept.withOther(types.apply(otherField)),
                                        getters.apply(otherField));
            } else {
                column = column.computing((Aggregate) aggregate);
            }
        }
        return column;
    }

    AggregateColumn<T> computing(Aggregate aggregate) {
        boolean isOfTexts = spec.type() == ColumnType.TEXT;
        if (isOfTexts && aggregate == Aggregate.MIN) {
            return computing(new CellAggregate(CellAggregate.Kind.MIN, "", null, 0), null);
        }
        if (isOfTexts && aggregate == Aggregate.MAX) {
            return computing(new CellAggregate(CellAggregate.Kind.MAX, "", null, 0), null);
        }
        if (!spec.type().isNumber() && aggregate != Aggregate.COUNT) {
            throw Errors.argument(
                    "only numbers are added up: %s, aggregate=%s, type=%s; ask for min(), max(),"
                            + " first(), last() or count() of it",
                    label(), aggregate, spec.type());
        }
        return new AggregateColumn<>(getter, others, added(aggregate));
    }

    AggregateColumn<T> computing(CellAggregate aggregate, ValueGetter<T, ?> other) {
        if (aggregate.kind() == CellAggregate.Kind.APPROX_QUANTILE && !spec.type().isNumber()) {
            throw Errors.argument(
                    "a quantile is of numbers: result='%s', type=%s; texts have min() and max()",
                    aggregate.name(), spec.type());
        }
        ArrayList<ValueGetter<T, ?>> moreOthers = new ArrayList<>(others);
        moreOthers.add(other);
        return new AggregateColumn<>(getter, moreOthers, added(aggregate));
    }

    private ValueSpec added(ColumnAggregate aggregate) {
        if (spec.aggregates().contains(aggregate)) {
            throw Errors.argument(
                    "a column computes each aggregate once: %s, aggregate=%s; remove one of the"
                            + " calls",
                    label(), aggregate instanceof CellAggregate cell ? cell.kind() : aggregate);
        }
        List<ColumnAggregate> aggregates = new ArrayList<>(spec.aggregates());
        aggregates.add(aggregate);
        return new ValueSpec(spec.name(), spec.type(), aggregates);
    }

    private String label() {
        return "column='" + spec.name() + "'";
    }
}
