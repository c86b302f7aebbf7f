package io.flinkgpu.program;

import io.flinkgpu.program.Text.Choice;
import io.flinkgpu.program.Text.Joined;
import io.flinkgpu.program.Text.Slice;
import io.flinkgpu.program.TextPart.Change;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import java.util.function.UnaryOperator;

/** Makes texts of texts without copying them. */
final class Texts {

    private final Graph graph;

    Texts(Graph graph) {
        this.graph = graph;
    }

    /** All of them, one after the other; null if one is. */
    Text join(List<Text> texts) {
        List<Text> parts = new ArrayList<>();
        for (Text text : texts) {
            for (Text part : text instanceof Joined joined ? joined.parts() : List.of(text)) {
                if (part instanceof Slice slice && slice.node().isNull()) {
                    return part;
                }
                append(parts, part);
            }
        }
        if (parts.isEmpty()) {
            return Slice.of(graph.text(""));
        }
        return parts.size() == 1 ? parts.get(0) : new Joined(parts);
    }

    private void append(List<Text> parts, Text part) {
        String value = literal(part);
        String before = parts.isEmpty() ? null : literal(parts.get(parts.size() - 1));
        if (value != null && before != null) {
            parts.set(parts.size() - 1, Slice.of(graph.text(before + value)));
        } else if (!"".equals(value)) {
            parts.add(part);
        }
    }

    private static String literal(Text text) {
        return text instanceof Slice slice && slice.isLiteral()
                ? (String) slice.node().constant()
                : null;
    }

    /** One where a condition is true, the other elsewhere. */
    Text choose(Node condition, Text yes, Text no) {
        if (condition.isLiteral() || condition.isNull()) {
            return condition.number() == Graph.TRUE ? yes : no;
        }
        if (yes.equals(no)) {
            return yes;
        }
        if (yes instanceof Slice first && no instanceof Slice second && first.hasChangeOf(second)) {
            return first.at(graph.select(condition, first.node(), second.node()));
        }
        return new Choice(graph.isTrue(condition), yes, no);
    }

    /** The first, or the second where that is null. */
    Text coalesce(Text first, Text second) {
        if (first instanceof Slice one && second instanceof Slice other && one.hasChangeOf(other)) {
            return one.at(graph.coalesce(one.node(), other.node()));
        }
        return choose(isNull(first), second, first);
    }

    /** Whether a text is null; never null. */
    Node isNull(Text text) {
        if (text instanceof Slice slice) {
            return graph.isNull(slice.node());
        }
        if (text instanceof Choice choice) {
            return graph.select(choice.condition(), isNull(choice.yes()), isNull(choice.no()));
        }
        Node any = graph.condition(Graph.FALSE);
        for (Text part : ((Joined) text).parts()) {
            any = graph.or(any, isNull(part));
        }
        return any;
    }

    /**
     * The text made by an instruction that reads one slice, or nothing where that needs the text in one
     * place.
     *
     * @param maps whether the instruction and a change of case can trade places
     */
    Optional<Text> slice(Text text, boolean maps, UnaryOperator<Node> instruction) {
        return eachSlice(
                text,
                slice ->
                        slice.change() == Change.NONE || maps && isCase(slice.change())
                                ? slice.at(instruction.apply(slice.node()))
                                : null);
    }

    /** A text changed on the way out, or nothing where that needs the text in one place. */
    Optional<Text> change(Text text, Change change, String what, String with) {
        UnaryOperator<Slice> changed = slice -> changed(slice, change, what, with);
        if (!(text instanceof Joined joined) || !isCase(change) || !isApart(joined)) {
            return eachSlice(text, changed);
        }
        List<Text> parts = new ArrayList<>();
        for (Text part : joined.parts()) {
            eachSlice(part, changed).ifPresent(parts::add);
        }
        return parts.size() < joined.parts().size() ? Optional.empty() : Optional.of(join(parts));
    }

    /** Null where the slice is changed in another way already. */
    private Slice changed(Slice slice, Change change, String what, String with) {
        if (slice.node().isNull()) {
            return slice;
        }
        if (slice.isLiteral()) {
            return Slice.of(graph.text(changed(literal(slice), change, what, with)));
        }
        if (slice.change() == Change.NONE) {
            return new Slice(slice.node(), change, what, with);
        }
        return slice.change() == change && isCase(change) ? slice : null;
    }

    private static String changed(String text, Change change, String what, String with) {
        return switch (change) {
            case UPPER -> map(text, Character::toUpperCase);
            case LOWER -> map(text, Character::toLowerCase);
            case REPLACE -> text.replace(what, with);
            case NONE -> text;
        };
    }

    private static String map(String text, IntUnaryOperator mapping) {
        StringBuilder mapped = new StringBuilder();
        text.codePoints().map(mapping).forEach(mapped::appendCodePoint);
        return mapped.toString();
    }

    static boolean isCase(Change change) {
        return change == Change.UPPER || change == Change.LOWER;
    }

    /**
     * Whether a literal lies between any two other parts, so that bytes of two parts cannot make up one
     * code point.
     */
    private static boolean isApart(Joined joined) {
        for (int i = 1; i < joined.parts().size(); i++) {
            if (literal(joined.parts().get(i - 1)) == null
                    && literal(joined.parts().get(i)) == null) {
                return false;
            }
        }
        return true;
    }

    private Optional<Text> eachSlice(Text text, UnaryOperator<Slice> operation) {
        if (text instanceof Choice choice) {
            Optional<Text> yes = eachSlice(choice.yes(), operation);
            Optional<Text> no = eachSlice(choice.no(), operation);
            return yes.isEmpty() || no.isEmpty()
                    ? Optional.empty()
                    : Optional.of(choose(choice.condition(), yes.get(), no.get()));
        }
        return text instanceof Slice slice
                ? Optional.ofNullable(operation.apply(slice))
                : Optional.empty();
    }
}
