package io.flinkgpu.text;

import io.flinkgpu.api.RuleSet;
import io.flinkgpu.text.automaton.LiteralIndex;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/** Compiled rules as they travel: tables of many rules are large, and rows of them alike. */
final class PackedRules implements Serializable {

    private static final long serialVersionUID = 1L;

    private final byte[] deflated;

    PackedRules(CompiledRules rules) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Deflater deflater = new Deflater(Deflater.BEST_SPEED);
        try (ObjectOutputStream out =
                new ObjectOutputStream(new DeflaterOutputStream(bytes, deflater))) {
            out.writeObject(rules.ruleSet());
            out.writeObject(rules.parts().toArray(RulePart[]::new));
            out.writeObject(rules.literals());
            out.writeObject(new ArrayList<>(rules.warnings()));
        } catch (IOException e) {
            throw new IllegalStateException("compiled rules are serializable", e);
        } finally {
            deflater.end();
        }
        deflated = bytes.toByteArray();
    }

    private Object readResolve() throws ObjectStreamException {
        try (ObjectInputStream in =
                new ObjectInputStream(
                        new InflaterInputStream(new ByteArrayInputStream(deflated)))) {
            RuleSet ruleSet = (RuleSet) in.readObject();
            RulePart[] parts = (RulePart[]) in.readObject();
            LiteralIndex literals = (LiteralIndex) in.readObject();
            List<String> warnings = new ArrayList<>();
            ((ArrayList<?>) in.readObject()).forEach(warning -> warnings.add((String) warning));
            return new CompiledRules(ruleSet, Arrays.asList(parts), literals, warnings);
        } catch (IOException | ClassNotFoundException e) {
            InvalidObjectException invalid =
                    new InvalidObjectException("compiled rules cannot be read: " + e.getMessage());
            invalid.initCause(e);
            throw invalid;
        }
    }
}
