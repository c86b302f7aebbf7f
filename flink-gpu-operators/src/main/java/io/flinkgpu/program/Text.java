package io.flinkgpu.program;

import java.util.List;

/**
 * A text of a row under compilation, as what it is made of, so that it need not be copied before it is
 * written.
 */
sealed interface Text {

    /** How many slices it has. */
    int slices();

    /** Whether an instruction can read it. */
    default boolean isPlain() {
        return this instanceof Slice slice && slice.change() == TextPart.Change.NONE;
    }

    /**
     * What is in one place, changed on the way out.
     *
     * @param what a replacement replaces; else null
     * @param with what it puts there; else null
     */
    record Slice(Node node, TextPart.Change change, String what, String with) implements Text {

        static Slice of(Node node) {
            return new Slice(node, TextPart.Change.NONE, null, null);
        }

        /** Another place, changed in the same way. */
        Slice at(Node other) {
            return new Slice(other, change, what, with);
        }

        boolean hasChangeOf(Slice other) {
            return equals(other.at(node));
        }

        boolean isLiteral() {
            return isPlain() && node.isTextLiteral();
        }

        @Override
        public int slices() {
            return 1;
        }
    }

    /**
     * One after the other.
     *
     * @param parts slices and choices, at least two
     */
    record Joined(List<Text> parts) implements Text {
        @Override
        public int slices() {
            int sum = 0;
            for (Text part : parts) {
                sum += part.slices();
            }
            return sum;
        }
    }

    /**
     * One of two.
     *
     * @param condition that is never null; the second where it is false
     */
    record Choice(Node condition, Text yes, Text no) implements Text {
        @Override
        public int slices() {
            return yes.slices() + no.slices();
        }
    }
}
