package io.flinkgpu.text.automaton;

import io.flinkgpu.text.regex.CodePointSet;
import io.flinkgpu.text.regex.Regex;

import org.apache.flink.annotation.Internal;

import java.util.BitSet;

/** Works out which bytes every match of a regex holds. */
@Internal
public final class RequiredBytes {

    private RequiredBytes() {}

    /** Bytes in every match; perhaps not all of them. A new set. */
    public static BitSet of(Regex regex) {
        BitSet required = new BitSet();
        if (regex instanceof Regex.Chars chars) {
            return of(chars.set());
        } else if (regex instanceof Regex.Concat concat) {
            concat.parts().forEach(part -> required.or(of(part)));
        } else if (regex instanceof Regex.Alternate alternate) {
            required.or(of(alternate.options().get(0)));
            alternate.options().forEach(option -> required.and(of(option)));
        } else if (regex instanceof Regex.Group group) {
            return of(group.body());
        } else if (regex instanceof Regex.Repeat repeat && repeat.min() > 0) {
            return of(repeat.body());
        }
        return required;
    }

    private static BitSet of(CodePointSet set) {
        BitSet required = null;
        for (int[] sequence : UnknownBytes.sequences(set)) {
            BitSet ofSequence = new BitSet();
            for (int i = 0; i < sequence.length; i += 2) {
                if (sequence[i] == sequence[i + 1]) {
                    ofSequence.set(sequence[i]);
                }
            }
            if (required == null) {
                required = ofSequence;
            } else {
                required.and(ofSequence);
            }
        }
        return required == null ? new BitSet() : required;
    }
}
