package io.flinkgpu.text.fields;

import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.Structure;

import org.apache.flink.annotation.Internal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Which rules apply where, and which fields stay: paths, compiled. Immutable. */
@Internal
public final class FieldRules {

    private final PathSet bound;

    /** Of each bound path, its rule. */
    private final int[] ruleOf;

    private final PathSet dropped;
    private final PathSet kept;

    /** Of each rule, whether it applies to a record as a whole, and to all fields. */
    private final boolean[] unbound;

    public FieldRules(RuleSet rules, Structure structure) {
        List<String> paths = new ArrayList<>();
        List<Integer> owners = new ArrayList<>();
        unbound = new boolean[rules.size()];
        for (int rule = 0; rule < rules.size(); rule++) {
            List<String> of = structure.bound().get(rules.rule(rule).name());
            unbound[rule] = of == null;
            for (String path : of == null ? List.<String>of() : of) {
                paths.add(path);
                owners.add(rule);
            }
        }
        bound = new PathSet(paths);
        ruleOf = owners.stream().mapToInt(Integer::intValue).toArray();
        dropped = new PathSet(structure.dropped());
        kept = new PathSet(structure.kept());
    }

    /** The rules that apply to a record as a whole. */
    public boolean[] unbound() {
        return unbound;
    }

    /** Whether fields are left out. */
    public boolean leavesOut() {
        return !dropped.isEmpty() || !kept.isEmpty();
    }

    boolean hasPaths() {
        return !bound.isEmpty() || leavesOut();
    }

    /** Where a record's names have led. */
    final class Place {

        private final long[] boundState;
        private final long[] droppedState;
        private final long[] keptState;

        /** Whether the names so far lead to a field that stays, or into it; and to one that is left out. */
        private final boolean isKept;

        private final boolean isDropped;

        /** As {@link #rules()} gives it, if it was asked: elements of an array share a place. */
        private boolean[] rules;

        private boolean hasRules;

        private Place(long[] boundState, long[] droppedState, long[] keptState, Place outer) {
            this.boundState = boundState;
            this.droppedState = droppedState;
            this.keptState = keptState;
            this.isKept = kept.isEmpty() || kept.isAny(keptState) || outer != null && outer.isKept;
            this.isDropped = dropped.isAny(droppedState) || outer != null && outer.isDropped;
        }

        /** Where one more name leads, which is several if it has dots in it. */
        Place next(String name) {
            Place place = this;
            int from = 0;
            for (int dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', from)) {
                place = place.nextPart(name.substring(from, dot));
                from = dot + 1;
            }
            return place.nextPart(name.substring(from));
        }

        private Place nextPart(String name) {
            return new Place(
                    bound.next(boundState, name),
                    dropped.next(droppedState, name),
                    kept.next(keptState, name),
                    this);
        }

        /** Whether what is here is left out, of which a container may still have fields that stay. */
        boolean isLeftOut(boolean container) {
            boolean stays = isKept || container && kept.mayBecomeAny(keptState);
            return !stays || isDropped;
        }

        /** The rules that apply to the value here; null if no rule is bound to it. Not to be written to. */
        boolean[] rules() {
            if (!hasRules) {
                rules = bound();
                hasRules = true;
            }
            return rules;
        }

        private boolean[] bound() {
            boolean[] rules = null;
            for (int i = 0; i < ruleOf.length; i++) {
                if (bound.isPath(boundState, i)) {
                    rules = rules == null ? Arrays.copyOf(unbound, unbound.length) : rules;
                    rules[ruleOf[i]] = true;
                }
            }
            return rules;
        }
    }

    Place root() {
        return new Place(bound.start(), dropped.start(), kept.start(), null);
    }
}
