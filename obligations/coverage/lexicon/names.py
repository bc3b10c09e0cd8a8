"""Medicine names, so that one is never taken for a misrecognised other: English and Portuguese spelling, folded."""

from __future__ import annotations

MEDICINES: frozenset[str] = frozenset(
    """
    paracetamol acetaminophen ibuprofen ibuprofeno naproxen naproxeno aspirin aspirina diclofenac diclofenaco celecoxib
    etoricoxib codeine codeina
    tramadol morphine morfina oxycodone oxicodona fentanyl fentanilo buprenorphine buprenorfina gabapentin gabapentina
    pregabalin pregabalina
    amitriptyline amitriptilina nortriptyline duloxetine duloxetina sertraline sertralina fluoxetine fluoxetina
    citalopram escitalopram paroxetine
    paroxetina venlafaxine venlafaxina mirtazapine mirtazapina lithium litio quetiapine quetiapina olanzapine olanzapina
    risperidone risperidona
    clozapine clozapina haloperidol diazepam lorazepam temazepam alprazolam zopiclone zolpidem melatonin melatonina
    levetiracetam lamotrigine
    lamotrigina valproate valproato carbamazepine carbamazepina phenytoin fenitoina topiramate topiramato levodopa
    donepezil memantine memantina
    warfarin varfarina apixaban apixabano rivaroxaban rivaroxabano edoxaban edoxabano dabigatran dabigatrano heparin
    heparina enoxaparin enoxaparina
    tinzaparin dalteparin clopidogrel ticagrelor prasugrel atorvastatin atorvastatina simvastatin sinvastatina
    rosuvastatin rosuvastatina pravastatin
    ezetimibe ezetimiba bisoprolol atenolol metoprolol carvedilol propranolol nebivolol ramipril lisinopril perindopril
    enalapril captopril losartan
    candesartan valsartan irbesartan olmesartan sacubitril amlodipine amlodipina nifedipine nifedipina diltiazem
    verapamil furosemide furosemida
    bumetanide spironolactone espironolactona eplerenone indapamide indapamida bendroflumethiazide hydrochlorothiazide
    hidroclorotiazida chlortalidone
    digoxin digoxina amiodarone amiodarona flecainide ivabradine nitroglycerin nitroglicerina isosorbide metformin
    metformina gliclazide gliclazida
    glimepiride sitagliptin sitagliptina linagliptin empagliflozin empagliflozina dapagliflozin dapagliflozina
    canagliflozin semaglutide liraglutide
    dulaglutide insulin insulina glucagon levothyroxine levotiroxina carbimazole propylthiouracil prednisolone
    prednisolona prednisone prednisona
    hydrocortisone hidrocortisona dexamethasone dexametasona methylprednisolone fludrocortisone beclometasone budesonide
    budesonida fluticasone
    fluticasona salbutamol albuterol terbutaline terbutalina salmeterol formoterol tiotropium tiotropio ipratropium
    montelukast theophylline
    teofilina amoxicillin amoxicilina flucloxacillin flucloxacilina penicillin penicilina clavulanate coamoxiclav
    doxycycline doxiciclina clarithromycin
    claritromicina erythromycin eritromicina azithromycin azitromicina ciprofloxacin ciprofloxacina levofloxacin
    trimethoprim trimetoprim nitrofurantoin
    nitrofurantoina metronidazole metronidazol cefalexin cefalexina cefuroxime vancomycin gentamicin fluconazole
    fluconazol aciclovir valaciclovir
    oseltamivir rifampicin isoniazid hydroxychloroquine hidroxicloroquina methotrexate metotrexato azathioprine
    azatioprina mercaptopurine sulfasalazine
    leflunomide mycophenolate tacrolimus ciclosporin ciclosporina adalimumab infliximab rituximab etanercept tofacitinib
    tamoxifen tamoxifeno letrozole
    anastrozole capecitabine hydroxyzine hydralazine cetirizine cetirizina loratadine loratadina fexofenadine
    chlorphenamine promethazine prometazina
    adrenaline adrenalina epinephrine omeprazole omeprazol lansoprazole esomeprazole pantoprazole pantoprazol ranitidine
    famotidine domperidone
    domperidona metoclopramide metoclopramida ondansetron ondansetrom cyclizine prochlorperazine loperamide loperamida
    senna lactulose lactulosa macrogol
    bisacodyl docusate mesalazine mebeverine buscopan alendronate alendronato risedronate zoledronate denosumab calcium
    calcio colecalciferol folic folico
    iron ferro ferrous allopurinol alopurinol colchicine colchicina febuxostat tamsulosin tansulosina finasteride
    finasterida solifenacin oxybutynin
    mirabegron sildenafil tadalafil latanoprost timolol dorzolamide brimonidine chloramphenicol cloranfenicol ketorolac
    levonorgestrel desogestrel
    estradiol progesterone progesterona medroxyprogesterone isotretinoin isotretinoina acitretin naloxone naloxona
    methadone metadona naltrexone
    disulfiram acamprosate varenicline nicotine nicotina bupropion sumatriptan sumatriptano rizatriptan ergotamine
    clonidine clonidina clonazepam
    """.split()
)
