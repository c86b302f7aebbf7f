package io.flinkgpu.program;

import java.util.ArrayList;
import java.util.List;

/** Lays a text out as pieces with guards. */
final class Pieces {

    private final Graph graph;

    Pieces(Graph graph) {
        this.graph = graph;
    }

    List<Piece> of(Text text) {
        List<Piece> pieces = new ArrayList<>();
        add(text, null, true, pieces);
        return List.copyOf(pieces);
    }

    private void add(Text text, Node guard, boolean whenTrue, List<Piece> pieces) {
        if (text instanceof Text.Slice slice) {
            if (!slice.isLiteral() || !"".equals(slice.node().constant())) {
                pieces.add(new Piece(guard, whenTrue, slice));
            }
        } else if (text instanceof Text.Joined joined) {
            for (Text part : joined.parts()) {
                add(part, guard, whenTrue, pieces);
            }
        } else if (text instanceof Text.Choice choice) {
            choose(choice, guard, whenTrue, pieces);
        }
    }

    private void choose(Text.Choice choice, Node guard, boolean whenTrue, List<Piece> pieces) {
        Node condition = choice.condition();
        if (guard == null) {
            add(choice.yes(), condition, true, pieces);
            add(choice.no(), condition, false, pieces);
        } else if (whenTrue) {
            add(choice.yes(), graph.and(guard, condition), true, pieces);
            add(choice.no(), graph.and(guard, graph.not(condition)), true, pieces);
        } else {
            add(choice.yes(), graph.and(graph.not(guard), condition), true, pieces);
            add(choice.no(), graph.or(guard, condition), false, pieces);
        }
    }
}
