package io.flinkgpu.groups;

import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.words.Term;

import java.util.List;

/** What of a value's terms is in a block. */
record ValueShape(boolean floating, boolean sum, boolean extremes, boolean squares) {

    static ValueShape[] of(List<ValueSpec> values) {
        return values.stream()
                .map(
                        value ->
                                new ValueShape(
                                        value.type().isFloating(),
                                        Term.SUM.isKeptOf(value),
                                        Term.MIN.isKeptOf(value),
                                        Term.SQUARES.isKeptOf(value)))
                .toArray(ValueShape[]::new);
    }

    boolean isFloatingSum() {
        return floating && sum;
    }
}
