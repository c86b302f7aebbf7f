package io.flinkgpu.text.automaton;

/**
 * A partition of {@code 0 ... n-1} that is refined by marking elements and splitting the marked ones
 * off. See Valmari, "Fast brief practical DFA minimization" (2012).
 */
final class Partition {

    private final int[] elements;
    private final int[] location;
    private final int[] setOf;
    private final int[] first;
    private final int[] past;
    private final int[] marked;
    private final int[] touched;
    private int touchedSets;
    private int sets;

    /** One set of all elements. */
    Partition(int size) {
        elements = new int[size];
        location = new int[size];
        setOf = new int[size];
        first = new int[size + 1];
        past = new int[size + 1];
        marked = new int[size + 1];
        touched = new int[size + 1];
        for (int i = 0; i < size; i++) {
            elements[i] = i;
            location[i] = i;
        }
        past[0] = size;
        sets = size == 0 ? 0 : 1;
    }

    int sets() {
        return sets;
    }

    int setOf(int element) {
        return setOf[element];
    }

    /** Where a set's elements start, for {@link #elementAt}. */
    int first(int set) {
        return first[set];
    }

    /** After a set's last element. */
    int past(int set) {
        return past[set];
    }

    int elementAt(int position) {
        return elements[position];
    }

    /** Marks an element that is not marked yet. */
    void mark(int element) {
        int set = setOf[element];
        int from = location[element];
        int to = first[set] + marked[set];
        elements[from] = elements[to];
        location[elements[from]] = from;
        elements[to] = element;
        location[element] = to;
        if (marked[set]++ == 0) {
            touched[touchedSets++] = set;
        }
    }

    /** Splits the marked from the unmarked elements in every set; the smaller part is the new set. */
    void split() {
        while (touchedSets > 0) {
            int set = touched[--touchedSets];
            int middle = first[set] + marked[set];
            int markedCount = marked[set];
            marked[set] = 0;
            if (middle == past[set]) {
                continue;
            }
            if (markedCount <= past[set] - middle) {
                first[sets] = first[set];
                past[sets] = middle;
                first[set] = middle;
            } else {
                past[sets] = past[set];
                first[sets] = middle;
                past[set] = middle;
            }
            for (int i = first[sets]; i < past[sets]; i++) {
                setOf[elements[i]] = sets;
            }
            marked[sets] = 0;
            sets++;
        }
    }
}
