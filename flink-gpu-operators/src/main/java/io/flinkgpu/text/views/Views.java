package io.flinkgpu.text.views;

import io.flinkgpu.api.Form;

import org.apache.flink.annotation.Internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Makes the views of records under some forms. Forms apply in the order of {@link Form}, each to what the ones
 * before it gave, and once more where one decoded something: what is encoded is often put into something that is
 * encoded again. Each that decodes something gives a view. Two views lead no further: what {@link Form#PLUS} gives,
 * and the base64 of what {@link Form#UNICODE} read, which may join a run to its neighbours. Not thread-safe.
 */
@Internal
public final class Views {

    private static final int ROUNDS = 2;

    private final List<Decoder> decoders = new ArrayList<>();
    private final List<boolean[]> triggers = new ArrayList<>();

    /** Bytes at which a record may have a view. */
    private final boolean[] first = new boolean[256];

    private final boolean findsBase64;

    /** The index of the decoder whose text base64 is decoded in as well; -1 if there are not both. */
    private final int joining;

    /** The decoders that apply in each round, which are the first. */
    private final int repeated;

    public Views(Set<Form> forms) {
        int unicode = -1;
        for (Form form : Form.values()) {
            if (forms.contains(form)) {
                unicode = form == Form.UNICODE ? decoders.size() : unicode;
                Decoder decoder = decoder(form);
                decoders.add(decoder);
                triggers.add(decoder.triggers());
            }
        }
        findsBase64 = forms.contains(Form.BASE64);
        joining = findsBase64 ? unicode : -1;
        repeated = decoders.size() - (forms.contains(Form.PLUS) ? 1 : 0);
        for (int i = 0; i < decoders.size(); i++) {
            if (!(decoders.get(i) instanceof Base64Decoder)) {
                for (int b = 0; b < first.length; b++) {
                    first[b] |= triggers.get(i)[b];
                }
            }
        }
    }

    private static Decoder decoder(Form form) {
        return switch (form) {
            case PERCENT -> new PercentDecoder();
            case HTML -> new HtmlDecoder();
            case JSON -> new JsonDecoder();
            case ANSI -> new AnsiDecoder();
            case BASE64 -> new Base64Decoder();
            case UNICODE -> new UnicodeDecoder();
            case PLUS -> new PlusDecoder();
        };
    }

    /** A text that a record reads as, and which bytes of the record it is of. */
    public static final class Chain {

        private final Chain before;
        private final View view;

        private Chain(Chain before, View view) {
            this.before = before;
            this.view = view;
        }

        /** Holds the text, from its start on; not to be written to. */
        public byte[] bytes() {
            return view.bytes();
        }

        public int length() {
            return view.length();
        }

        /** Where what a byte of the text is of starts in the record. */
        public int sourceStart(int at) {
            int in = view.sourceStart(at);
            return before == null ? in : before.sourceStart(in);
        }

        /** Where what a byte of the text is of ends in the record. */
        public int sourceEnd(int at) {
            int in = view.sourceEnd(at);
            return before == null ? in : before.sourceEnd(in - 1);
        }
    }

    /** Whether a text may have a view: cheaper than making them. */
    public boolean mayHaveAny(byte[] text, int length) {
        boolean any = false;
        for (int i = 0; i < length && !decoders.isEmpty(); i++) {
            any |= first[text[i] & 0xff];
        }
        return any || findsBase64 && mayHaveBase64(text, length);
    }

    /** A run of so many characters has one at a multiple of that number. */
    private static boolean mayHaveBase64(byte[] text, int length) {
        int least = Base64Decoder.MIN_CHARACTERS;
        for (int i = least - 1; i < length; i += least) {
            if (!Base64Decoder.isInAlphabet(text[i])) {
                continue;
            }
            int from = i;
            while (from > 0 && i - from < least && Base64Decoder.isInAlphabet(text[from - 1])) {
                from--;
            }
            int to = i + 1;
            while (to < length && to - from < least && Base64Decoder.isInAlphabet(text[to])) {
                to++;
            }
            if (to - from >= least) {
                return true;
            }
        }
        return false;
    }

    /** The view under the one form there is; null if the text reads the same. */
    public View first(byte[] text, int length) {
        return decoders.get(0).view(text, length, triggers.get(0));
    }

    /** The views of a text, in order; none if it reads the same under all forms. */
    public List<Chain> of(byte[] text, int length) {
        List<Chain> chains = new ArrayList<>();
        Chain last = null;
        for (int round = 0; round < ROUNDS; round++) {
            Chain before = last;
            for (int i = 0; i < repeated; i++) {
                Chain read = last;
                last = addView(chains, i, read, text, length);
                if (i == joining && last != read) {
                    addView(chains, i + 1, read, text, length);
                }
            }
            if (round > 0 && last == before) {
                break;
            }
            for (int i = repeated; i < decoders.size(); i++) {
                addView(chains, i, last, text, length);
            }
            if (last == null) {
                break;
            }
        }
        return chains;
    }

    /** The view of a text or, if there is one, of its last view; the last view itself if that reads the same. */
    private Chain addView(List<Chain> chains, int decoder, Chain last, byte[] text, int length) {
        byte[] from = last == null ? text : last.bytes();
        int fromLength = last == null ? length : last.length();
        View view = decoders.get(decoder).view(from, fromLength, triggers.get(decoder));
        if (view == null) {
            return last;
        }
        Chain chain = new Chain(last, view);
        chains.add(chain);
        return chain;
    }
}
