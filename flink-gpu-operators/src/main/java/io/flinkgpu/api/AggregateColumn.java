package io.flinkgpu.api;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

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

    AggregateColumn<T> with(Serializable newGetter, ColumnType type) {
        return new AggregateColumn<>(
                newGetter, others, new ValueSpec(spec.name(), type, spec.aggregates()));
    }

    AggregateColumn<T> computing(Aggregate aggregate) {
        if (!spec.type().isNumber() && aggregate != Aggregate.COUNT) {
            throw Errors.argument(
                    "only numbers are added up: %s, aggregate=%s, type=%s; ask for min(), max(),"
                            + " first(), last() or count() of it",
                    label(), aggregate, spec.type());
        }
        return new AggregateColumn<>(getter, others, added(aggregate));
    }

    AggregateColumn<T> computing(CellAggregate aggregate, ValueGetter<T, ?> other) {
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
